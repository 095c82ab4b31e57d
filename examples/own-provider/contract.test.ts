import { test } from 'node:test';
import { providerContract } from 'rx-model-stream/testing';
import { tern } from './provider';
import { STREAMS } from './streams';

const tests = providerContract(tern, {
  streams: [
    { name: 'calls', body: STREAMS.calls },
    { name: 'text', body: STREAMS.text },
    { name: 'full', body: STREAMS.full },
    { name: 'failed', body: STREAMS.failed, fails: 'provider' },
  ],
  keepAlives: [{ event: 'tick' }],
  unknowns: [
    { title: 'an unknown event', payloads: [{ event: 'hologram', rays: 3 }] },
    { title: 'input for no call', payloads: [{ event: 'input', call: 'c_9', json: '{}' }] },
  ],
});

for (const { law, stream, check } of tests) void test(`${law}: ${stream}`, check);
