import { connect, defer, filter, map, merge, take, tap, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  fromWebSocketMessages,
  geminiLive,
  normalize,
  textOf,
  toolCalls,
  toolResultsFor,
  withUsage,
  type ModelEvent,
  type Snapshot,
} from 'rx-model-stream';
import { WebSocket } from 'ws';

/** The wind, wherever one is. */
const WIND = { knots: 12, from: 'west' };

/** As much of an answer as this user hears before he interrupts it, in characters. */
const PATIENCE = 40;

/**
 * A conversation with Gemini Live, line by line: a question that needs a tool, one whose answer is interrupted, one more.
 *
 * The socket is ours: we send on it, and leaving the Observable closes it.
 */
export function conversation(url: string): Observable<string> {
  const provider = geminiLive();
  return defer(() => {
    const socket = new WebSocket(url);
    const send = (message: object): void => {
      socket.send(JSON.stringify(message));
    };
    const ask = (text: string): string => {
      send({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true } });
      return `you    ${text}`;
    };
    socket.addEventListener('open', () => {
      send({ setup: { model: 'models/demo', generationConfig: { responseModalities: ['TEXT'] } } });
    });

    return fromWebSocketMessages(() => socket).pipe(
      normalize(provider),
      withUsage(),
      connect((events$) => {
        const snapshots$ = events$.pipe(accumulateBlocks());
        const turns$ = snapshots$.pipe(filter(({ status }) => status === 'complete'));
        const setUp$ = events$.pipe(filter((event) => tells(event, 'setupComplete')));
        const firstTurn$ = turns$.pipe(filter(({ ordinal }) => ordinal === 0));
        const enough$ = snapshots$.pipe(
          filter((snapshot) => snapshot.ordinal === 1 && textOf(snapshot).length > PATIENCE),
          take(1),
        );
        const leaving$ = events$.pipe(filter((event) => tells(event, 'goAway')));
        return merge(
          turns$.pipe(map(lineOf)),
          events$.pipe(
            toolCalls(),
            tap((call) => {
              toolResultsFor(provider, [{ call, content: WIND }]).forEach(send);
            }),
            map(({ name, arguments: text }) => `tool   ${name}(${text}) → ${JSON.stringify(WIND)}`),
          ),
          setUp$.pipe(map(() => ask('How is the wind at Horta?'))),
          firstTurn$.pipe(map(() => ask('Tell me about the harbour.'))),
          enough$.pipe(map(() => ask('Stop. Only its depth, please.'))),
          leaving$.pipe(
            tap(() => {
              socket.close();
            }),
            map(() => 'The service is about to leave: closed.'),
          ),
        );
      }),
    );
  });
}

/** Whether the service says something that is not part of an answer. */
function tells(event: ModelEvent, field: string): boolean {
  return event.type === 'raw' && typeof event.event === 'object' && event.event !== null && field in event.event;
}

function lineOf(turn: Snapshot): string {
  const tokens = turn.usage?.totalTokens === undefined ? '' : `, ${turn.usage.totalTokens} tokens`;
  return `model  ${textOf(turn)} (${turn.finishReason}${tokens})`;
}
