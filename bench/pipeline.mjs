/**
 * How close the built package comes to its floor: one decode of the bytes, one split at line ends, and `JSON.parse` of
 * each payload. Generated streams of 20,000 deltas, in chunks of 16 KiB; medians of interleaved rounds in one run.
 */
import { from } from 'rxjs';
import { accumulateBlocks, anthropic, normalize, openaiResponses, parseSSE, withUsage } from 'rx-model-stream';

const DELTAS = 20_000;
const ROUNDS = 15;
const CHUNK_BYTES = 16 * 1024;
const WORDS = ['The ', 'quick ', 'brown ', 'fox ', 'jumps '];

function chunksOf(events) {
  let text = '';
  for (const event of events) text += `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  const bytes = new TextEncoder().encode(text);
  const chunks = [];
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) chunks.push(bytes.slice(start, start + CHUNK_BYTES));
  return chunks;
}

function* anthropicEvents() {
  const usage = { input_tokens: 12, output_tokens: 1 };
  yield { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage } };
  yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  for (let n = 0; n < DELTAS; n += 1) {
    yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORDS[n % WORDS.length] } };
  }
  yield { type: 'content_block_stop', index: 0 };
  yield { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } };
  yield { type: 'message_stop' };
}

function* responsesEvents() {
  const place = { item_id: `msg_${'0'.repeat(48)}`, output_index: 0, content_index: 0 };
  yield { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', model: 'm' } };
  yield { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } };
  for (let n = 0; n < DELTAS; n += 1) {
    const delta = WORDS[n % WORDS.length];
    yield { type: 'response.output_text.delta', sequence_number: n + 2, ...place, delta, obfuscation: 'x7Kq' };
  }
  const usage = { input_tokens: 12, output_tokens: 9, total_tokens: 21 };
  yield { type: 'response.completed', response: { id: 'resp_1', output: [], usage } };
}

/** The least that any reader of such a stream has to do. */
function floor(chunks) {
  const decoder = new TextDecoder();
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
  for (const line of text.split('\n')) if (line.startsWith('data: ')) JSON.parse(line.slice(6));
}

function stepsOf(provider) {
  return {
    floor,
    'bytes to frames': (chunks) => from(chunks).pipe(parseSSE()).subscribe(),
    'bytes to events': (chunks) => from(chunks).pipe(parseSSE(), normalize(provider), withUsage()).subscribe(),
    'bytes to snapshots, each drawn': (chunks) =>
      from(chunks)
        .pipe(parseSSE(), normalize(provider), withUsage(), accumulateBlocks())
        .subscribe((snapshot) => snapshot.blocks.length),
  };
}

function median(times) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

function measure(name, chunks, provider) {
  const steps = Object.entries(stepsOf(provider));
  const times = new Map(steps.map(([step]) => [step, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [step, run] of steps) {
      const start = performance.now();
      run(chunks);
      times.get(step).push(performance.now() - start);
    }
  }
  const floorMs = median(times.get('floor'));
  console.log(`${name}, ${DELTAS} deltas in ${chunks.length} chunks`);
  for (const [step, all] of times) {
    const microseconds = ((median(all) / DELTAS) * 1000).toFixed(2);
    console.log(`  ${step.padEnd(32)} ${microseconds} µs a delta   ${(median(all) / floorMs).toFixed(2)} × floor`);
  }
}

measure('Anthropic Messages', chunksOf(anthropicEvents()), anthropic());
measure('OpenAI Responses', chunksOf(responsesEvents()), openaiResponses());
