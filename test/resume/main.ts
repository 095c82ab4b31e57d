/** Cuts streams at every byte and prints how many of them come out as if nothing had happened. */
import { beginsAgain, goesOn, isFetchedWhole, type Verdict } from './laws';
import { otherStreams, recordedStreams, resumableStreams, type CutStream } from './streams';

interface Trial {
  readonly title: string;
  readonly streams: readonly CutStream[];
  readonly tried: (stream: CutStream) => Verdict;
}

/** How many bytes lie between two cuts: the first argument, 1 without it. */
const step = Number(process.argv[2] ?? 1);
/** What depends only on which payloads were received is cut at fewer places; so are recordings, which are long. */
const coarseStep = step * 7;
const recordingStep = step * 101;

const fixtures = resumableStreams();
const recordings = recordedStreams();
const others = otherStreams();

const TRIALS: readonly Trial[] = [
  { title: 'cut once', streams: fixtures, tried: (stream) => goesOn(stream, 1, step) },
  { title: 'cut five times', streams: fixtures, tried: (stream) => goesOn(stream, 5, step) },
  { title: 'fetched whole', streams: fixtures, tried: (stream) => isFetchedWhole(stream, coarseStep) },
  { title: 'begun again twice', streams: [...fixtures, ...others], tried: (stream) => beginsAgain(stream, coarseStep) },
  { title: 'recordings, cut once', streams: recordings, tried: (stream) => goesOn(stream, 1, recordingStep) },
  { title: 'recordings, cut five times', streams: recordings, tried: (stream) => goesOn(stream, 5, recordingStep) },
];

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function main(): void {
  Error.stackTraceLimit = 0; // a failure for every cut
  const problems: string[] = [];
  let all = 0;
  for (const { title, streams, tried } of TRIALS) {
    let reads = 0;
    const before = problems.length;
    streams.forEach((stream, nth) => {
      progress(`${title}: ${nth + 1} of ${streams.length}, ${stream.folder}/${stream.name}`);
      const verdict = tried(stream);
      reads += verdict.reads;
      problems.push(...verdict.problems);
    });
    progress('');
    all += reads;
    const wrong = problems.length - before;
    console.log(`${title.padEnd(30)} ${streams.length} streams, ${reads} readings, ${wrong} wrong`);
  }
  console.log(`${'all'.padEnd(30)} ${all} readings, ${problems.length} wrong`);
  problems.slice(0, 40).forEach((problem) => {
    console.log(problem);
  });
  if (problems.length > 0) process.exitCode = 1;
}

main();
