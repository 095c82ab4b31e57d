export type { FakeAnswer, FakeFault } from '../fakeAnswer';
export type { ChunkSizes, RandomChunkSizes } from '../chunkSizes';
export type { FakeExchange, FakeRequest } from './fakeExchange';
export type { FakeResponse } from './fakeResponse';
export { startFakeProvider, type FakeProvider, type FakeRoute } from './startFakeProvider';
