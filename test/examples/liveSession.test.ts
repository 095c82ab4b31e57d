import { lastValueFrom, toArray } from 'rxjs';
import { conversation } from '../../examples/live-session/conversation';
import { startService } from '../../examples/live-session/service';

describe('examples/live-session', () => {
  it('asks, answers a tool call, interrupts an answer and closes when the service is about to leave', async () => {
    const service = await startService();
    const lines = await lastValueFrom(conversation(service.url).pipe(toArray()));
    await service.close();
    expect(lines).toEqual([
      'you    How is the wind at Horta?',
      'tool   wind({"harbour":"Horta"}) → {"knots":12,"from":"west"}',
      'model  Let me look. Twelve knots from the west. (stop, 134 tokens)',
      'you    Tell me about the harbour.',
      'you    Stop. Only its depth, please.',
      expect.stringMatching(/^model {2}The harbour of Horta was laid out when whalers .*\(cancelled\)$/),
      'model  Ten metres at low water. (stop)',
      'The service is about to leave: closed.',
    ]);
  });
});
