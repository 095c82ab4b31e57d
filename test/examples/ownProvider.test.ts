import { execFileSync } from 'node:child_process';
import { lastValueFrom, toArray } from 'rxjs';
import { parseSSE } from 'rx-model-stream';
import { startFakeProvider } from 'rx-model-stream/testing/node';
import { conversation } from '../../examples/own-provider/conversation';
import { tern } from '../../examples/own-provider/provider';
import { STREAMS } from '../../examples/own-provider/streams';
import { readBody } from '../support/frames';
import { ROOT } from '../support/project';

const TURN = {
  from: 'model',
  parts: [
    { say: 'Let me look. ' },
    { call: 'c_1', tool: 'next_tide', input: '{"port":"Évora"}' },
    { call: 'c_2', tool: 'sunrise', input: '' },
  ],
};

describe('examples/own-provider', () => {
  it('reads text, calls, usage and the ending', () => {
    const { events, error } = readBody(tern(), parseSSE, [Buffer.from(STREAMS.calls)]);
    const call = { kind: 'tool-call', arguments: '', format: 'json', state: 'open' };
    const whole = { ...call, state: 'whole' };
    const raw = { event: 'spent', read: 80, cached: 40, written: 31 };
    expect(events).toEqual([
      { type: 'response-start', provider: 'tern', responseId: 'r_1', model: 'tern-2' },
      { type: 'block-start', index: 0, block: { kind: 'text', text: '' } },
      { type: 'text-delta', index: 0, text: 'Let me ' },
      { type: 'text-delta', index: 0, text: 'look. ' },
      { type: 'block-end', index: 0, block: { kind: 'text', text: 'Let me look. ' } },
      { type: 'block-start', index: 1, block: { ...call, id: 'c_1', name: 'next_tide' } },
      { type: 'block-start', index: 2, block: { ...call, id: 'c_2', name: 'sunrise' } },
      { type: 'tool-call-delta', index: 1, id: 'c_1', argumentsDelta: '{"port":' },
      { type: 'tool-call-delta', index: 1, id: 'c_1', argumentsDelta: '"Évora"}' },
      { type: 'block-end', index: 1, block: { ...whole, id: 'c_1', name: 'next_tide', arguments: '{"port":"Évora"}' } },
      { type: 'block-end', index: 2, block: { ...whole, id: 'c_2', name: 'sunrise', arguments: '{}' } },
      { type: 'usage', usage: { inputTokens: 120, cachedInputTokens: 40, outputTokens: 31, raw } },
      { type: 'finish', reason: 'tool-calls', rawReason: 'calls', turn: TURN },
    ]);
    expect(error).toBeUndefined();
  });

  it('fails where the service fails, and says whether asking again may help', () => {
    const { error } = readBody(tern(), parseSSE, [Buffer.from(STREAMS.failed)]);
    const message = 'Too many birds';
    expect(error).toMatchObject({ code: 'provider', provider: 'tern', providerCode: 'busy', retryable: true, message });
  });

  it('talks in two rounds, with the turn and what answers its calls in the second request', async () => {
    const service = await startFakeProvider({
      '/v1/replies': (_request, nth) => ({ body: nth === 1 ? STREAMS.calls : STREAMS.text, chunkBytes: 24 }),
    });
    const lines = await lastValueFrom(conversation(`${service.url}/v1/replies`).pipe(toArray()));
    await service.close();
    expect(lines).toEqual([
      'model  Let me look. (120 tokens read)',
      'tool   next_tide({"port":"Évora"})',
      'tool   sunrise({})',
      'model  The tide turns at 18:40, long after sunrise. (150 tokens read)',
    ]);
    const question = { from: 'user', say: 'When does the tide turn?' };
    const results = [
      { from: 'tool', call: 'c_1', output: '{"at":"18:40"}' },
      { from: 'tool', call: 'c_2', output: '06:12' },
    ];
    expect(service.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { messages: [question] },
      { messages: [question, TURN, ...results] },
    ]);
  });

  it('keeps the provider contract, which node:test runs', () => {
    const file = 'examples/own-provider/contract.test.ts';
    const said = execFileSync(process.execPath, ['--import', 'tsx', '--test', '--test-reporter', 'tap', file], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(said).toMatch(/^# pass 72$/m);
    expect(said).toMatch(/^# fail 0$/m);
  }, 60_000);
});
