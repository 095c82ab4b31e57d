export type { FakeAnswer, FakeFault } from '../fakeAnswer';
export type { ChunkSizes, RandomChunkSizes } from '../chunkSizes';
export { eventRelay, type EventRelayOptions } from './eventRelay';
export type { FakeExchange, FakeRequest } from './fakeExchange';
export type { FakeResponse } from './fakeResponse';
export type { FakeRun, FakeRunOptions } from './fakeRun';
export { interactionRun } from './interactionRun';
export { openaiBackgroundRun } from './openaiBackgroundRun';
export { startFakeProvider, type FakeProvider, type FakeRoute } from './startFakeProvider';
