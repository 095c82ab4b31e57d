import type { Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import { accumulateBlocks, parseSSE, type AnthropicTurn, type ModelEvent, type ModelRequest } from 'rx-model-stream';
import { coldChunks, fakeFetch, fakeModelStream, sliceBytes } from 'rx-model-stream/testing';

declare const cold: RunHelpers['cold'];
declare const expectSubscriptions: RunHelpers['expectSubscriptions'];

// What is cut goes into a marble stream, and that into the pipeline.
const bytes = coldChunks(cold, sliceBytes('data: 1\n\n', { seed: 1, max: 4 }), { every: 2, end: 'never' });
bytes.pipe(parseSSE());
expectSubscriptions(bytes.subscriptions).toBe('^');
// @ts-expect-error A size is a number, a list, or a seed with its bound.
sliceBytes('a', { seed: 1 });

// A fake answer takes the place of a real one.
const answer = fakeModelStream<AnthropicTurn>(cold, 'a|', { a: { text: 'Hi', finish: 'stop' } });
const events: Observable<ModelEvent<AnthropicTurn>> = answer;
events.pipe(accumulateBlocks());
expectSubscriptions(answer.subscriptions).toBe('^');
// @ts-expect-error The turn is that of the provider.
fakeModelStream<AnthropicTurn>(cold, 'a|', { a: { finish: { turn: 7 } } });
// @ts-expect-error A model says text, not words.
fakeModelStream(cold, 'a|', { a: { words: 'Hi' } });

// A fake fetch is a fetch.
export const request: ModelRequest = { url: 'https://example.org', fetch: fakeFetch({ body: 'data: 1\n\n' }) };
// @ts-expect-error A body that is cut short says where.
fakeFetch({ body: 'a', fault: { type: 'truncate' } });
