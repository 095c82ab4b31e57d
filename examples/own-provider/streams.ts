/** What Tern says, written by hand as it stands on the wire. */
export const STREAMS = {
  calls: eventStream(
    { event: 'opened', reply: 'r_1', model: 'tern-2' },
    { event: 'said', text: 'Let me ' },
    { event: 'said', text: 'look. ' },
    { event: 'called', call: 'c_1', tool: 'next_tide' },
    { event: 'called', call: 'c_2', tool: 'sunrise' },
    { event: 'input', call: 'c_1', json: '{"port":' },
    { event: 'tick' },
    { event: 'input', call: 'c_1', json: '"Évora"}' },
    { event: 'ready', call: 'c_1' },
    { event: 'ready', call: 'c_2' },
    { event: 'spent', read: 80, cached: 40, written: 31 },
    { event: 'closed', why: 'calls' },
  ),
  text: eventStream(
    { event: 'opened', reply: 'r_2', model: 'tern-2' },
    { event: 'said', text: 'The tide turns at 18:40, ' },
    { event: 'said', text: 'long after sunrise.' },
    { event: 'spent', read: 30, cached: 120, written: 12 },
    { event: 'closed', why: 'done' },
  ),
  full: eventStream(
    { event: 'opened', reply: 'r_3', model: 'tern-2' },
    { event: 'called', call: 'c_1', tool: 'next_tide' },
    { event: 'input', call: 'c_1', json: '{"port":"Fa' },
    { event: 'closed', why: 'full' },
  ),
  failed: eventStream(
    { event: 'opened', reply: 'r_4', model: 'tern-2' },
    { event: 'said', text: 'The tide' },
    { event: 'failed', code: 'busy', message: 'Too many birds' },
  ),
} as const;

function eventStream(...payloads: readonly object[]): string {
  return payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join('');
}
