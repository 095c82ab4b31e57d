import { firstValueFrom, lastValueFrom, toArray, type Observable } from 'rxjs';
import {
  anthropic,
  fromModel,
  lastEventIdResume,
  type ModelEvent,
  type ModelOptions,
  type Provider,
} from 'rx-model-stream';
import {
  eventRelay,
  startFakeProvider,
  type FakeProvider,
  type FakeResponse,
  type FakeRunOptions,
} from 'rx-model-stream/testing/node';
import { fixtureText } from '../support/fixtures';
import { lastSnapshotOf } from '../support/lastSnapshot';
import {
  BACKGROUND_RESPONSES,
  inBackground,
  INTERACTIONS,
  withEventIds,
  type ResumableService,
} from '../support/resumableRuns';
import { until } from '../support/until';

let fake: FakeProvider;

afterEach(() => fake.close());

const RETRY = { retry: { initialDelayMs: 0, maxRetries: 9 } };

async function eventsOf(events: Observable<ModelEvent>): Promise<ModelEvent[]> {
  return lastValueFrom(events.pipe(toArray()));
}

const SERVICES: readonly (readonly [title: string, service: ResumableService, body: string])[] = [
  ['openaiResponses()', BACKGROUND_RESPONSES, inBackground(fixtureText('openai-responses/keepalive.sse'))],
  ['geminiInteractions()', INTERACTIONS, withEventIds(fixtureText('gemini-interactions/text.sse'), 3)],
];

describe.each(SERVICES)('over HTTP an answer of %s', (_title, service, body) => {
  async function answer(
    run: FakeRunOptions,
    options: ModelOptions = RETRY,
    provider: Provider = service.provider(),
  ): Promise<Observable<ModelEvent>> {
    fake = await startFakeProvider(service.run(body, run).routes);
    const request = { url: `${fake.url}${service.path}?key=k`, body: { background: true, stream: true } };
    return fromModel(provider, request, options);
  }

  async function uncut(): Promise<ModelEvent[]> {
    const events = await eventsOf(await answer({}));
    await fake.close();
    return events;
  }

  it('goes on over new connections, however they are lost', async () => {
    const whole = await uncut();
    const length = Buffer.byteLength(body);
    for (let afterBytes = 600; afterBytes < length; afterBytes += 397) {
      const answers: FakeResponse[] = [
        { fault: { type: 'reset', afterBytes } },
        { status: 503, headers: { 'retry-after-ms': '0' } },
        { fault: { type: 'truncate', afterBytes: 300 } },
        { fault: { type: 'reset' } },
        { fault: { type: 'error-event', afterBytes: 200, event: '' } },
      ];
      expect(await eventsOf(await answer({ answers }))).toEqual(whole);
      expect(fake.requests.every(({ query }) => query.get('key') === 'k')).toBe(true);
      await fake.close();
    }
  });

  it('is fetched whole when it is too late to stream it', async () => {
    const whole = lastSnapshotOf(await uncut());
    for (const afterBytes of [600, 900, 1200]) {
      const answers: FakeResponse[] = [{ fault: { type: 'truncate', afterBytes } }];
      const events = await eventsOf(await answer({ answers, maxStreams: 0, unfinishedPolls: 5 }));
      expect(lastSnapshotOf(events)).toEqual(whole);
      await fake.close();
    }
  });

  it('is ended at the service when its reader leaves, where that is asked for', async () => {
    const run = service.run(body, { written: 3 });
    fake = await startFakeProvider(run.routes);
    const request = { url: fake.url + service.path, body: { background: true, stream: true } };
    await firstValueFrom(fromModel(service.provider(), request, { cancelRun: true }));
    await until(() => run.isCancelled);
  });
});

describe('over a relay of one’s own', () => {
  it('an answer goes on behind the last id, after the time the relay asks for', async () => {
    const body = fixtureText('anthropic/tool-call.sse').replace(/\r\n/g, '\n');
    const answers: FakeResponse[] = [
      { fault: { type: 'reset', afterBytes: 700 } },
      { fault: { type: 'truncate', afterBytes: 400 } },
    ];
    fake = await startFakeProvider({
      '/uncut': eventRelay(body),
      '/relay': eventRelay(body, { retryMs: 3, answers }),
    });
    const provider = { ...anthropic(), resume: lastEventIdResume() };
    const uncut = await eventsOf(fromModel(provider, { url: `${fake.url}/uncut` }));
    const waits: number[] = [];
    const options = { retry: { onRetry: ({ delayMs }: { delayMs: number }) => void waits.push(delayMs) } };
    const events = await eventsOf(fromModel(provider, { url: `${fake.url}/relay` }, options));
    expect(events).toEqual(uncut);
    expect(waits).toEqual([3, 3]);
    const ids = fake.requests.map(({ headers }) => headers['last-event-id']);
    expect(ids.map(Number)).toEqual([NaN, NaN, ...ids.slice(2).map(Number)]);
    expect(Number(ids[3])).toBeGreaterThan(Number(ids[2]));
  });
});
