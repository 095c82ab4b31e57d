export type { FakeExchange, FakeRequest } from './fakeExchange';
export type { FakeFault, FakeResponse } from './fakeResponse';
export { startFakeProvider, type FakeProvider, type FakeRoute } from './startFakeProvider';
