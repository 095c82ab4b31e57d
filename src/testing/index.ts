export type { ChunkSizes, RandomChunkSizes } from './chunkSizes';
export { coldChunks, type ColdChunksOptions } from './coldChunks';
export type { FakeAnswer, FakeFault } from './fakeAnswer';
export { fakeFetch, type FakeCall, type FakeFetch } from './fakeFetch';
export { fakeModelStream, type FakeModelStream } from './fakeModelStream';
export type { FakeMoment, FakeToolCall } from './fakeMoment';
export { sliceBytes } from './sliceBytes';
export {
  providerContract,
  type ContractBody,
  type ContractPayloads,
  type ContractStream,
  type ContractTest,
  type ProviderContract,
} from './providerContract';
export type { UnknownPayloads } from './contract/unknownPayloads';
