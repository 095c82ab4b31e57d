import { beginsAgain, goesOn, isFetchedWhole } from './laws';
import { otherStreams, resumableStreams, type CutStream } from './streams';

/** `npm run resume` cuts at every byte; here it is at some, the same ones every time. */
const STEP = 509;

function titled(streams: readonly CutStream[]): [title: string, stream: CutStream][] {
  return streams.map((stream) => [`${stream.folder}/${stream.name}`, stream]);
}

describe('an answer whose connection is lost', () => {
  it.each(titled(resumableStreams()))('goes on, or is fetched whole: %s', (_title, stream) => {
    expect(goesOn(stream, 1, STEP).problems).toEqual([]);
    expect(goesOn(stream, 5, STEP).problems).toEqual([]);
    expect(isFetchedWhole(stream, STEP).problems).toEqual([]);
  });

  it.each(titled([...resumableStreams(), ...otherStreams()]))('or begins again: %s', (_title, stream) => {
    expect(beginsAgain(stream, STEP).problems).toEqual([]);
  });

  it('is one of many', () => {
    const readings = resumableStreams().map((stream) => goesOn(stream, 1, STEP).reads);
    expect(readings.filter((reads) => reads > 0).length).toBeGreaterThan(100);
  });
});
