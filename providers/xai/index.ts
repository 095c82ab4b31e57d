/**
 * xAI: Chat Completions, Responses and the Messages of Anthropic's shape, at https://api.x.ai/v1, told apart by payload;
 * Responses also over a WebSocket at `/v1/responses`.
 *
 * Wire: as those APIs, SSE with LF line ends. Comments keep alive, in Chat also chunks with an empty delta. Responses end
 * like OpenAI's or with `response.done`; a failure before the stream may be JSON with status 200. Nothing can be continued.
 *
 * Source: @ai-sdk/xai 5.0.12 and 3.0.138, https://docs.x.ai/developers, read 2026-11-29. Checked against captures of Chat
 * and Responses; of `response.done`, a failure inside a stream, the Messages and WebSockets there is none.
 */
import { ModelStreamError } from '../../src/errors';
import type { ModelEvent } from '../../src/events';
import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle, Provider, SessionOptions } from '../../src/provider';
import type { Stage } from '../../src/stage';
import { objectOf, textIn } from '../../src/wire';
import type { AnthropicTurn } from '../anthropic';
import { anthropicLifecycleOf } from '../anthropic/lifecycle';
import { createAnthropicMapper } from '../anthropic/mapper';
import type { OpenAIChatTurn } from '../openaiChat';
import { chatLifecycleOf } from '../openaiChat/lifecycle';
import { createChatMapper } from '../openaiChat/mapper';
import type { OpenAIResponsesTurn } from '../openaiResponses';
import { responsesLaneOf, responsesLifecycleOf } from '../openaiResponses/lifecycle';
import { createResponsesMapper } from '../openaiResponses/mapper';
import { callFactsOf } from './calls';
import { xaiToolResults, type XaiToolMessage } from './toolResults';
import { usageOf } from './usage';

const NAME = 'xai';

export type { XaiToolMessage } from './toolResults';

/** The turn of whichever API was asked. */
export type XaiTurn = OpenAIChatTurn | OpenAIResponsesTurn | AnthropicTurn;

type Api = 'chat' | 'responses' | 'messages';

/**
 * The provider for xAI, whichever of its three APIs was asked.
 *
 * 1. The first payload that shows its API decides, `lifecycleOf` looks at each by itself.
 * 2. Calls of xAI's own tools are `providerExecuted`, custom tool calls among them; only function calls wait for the client.
 * 3. Output tokens include reasoning, in Chat too, where the wire counts it apart. Costs come from ticks.
 * 4. In a session every response has its own ending, a failed one `finish` with reason `error`. All may have one id.
 *
 * @param options - `session: true` for the messages of a WebSocket.
 *
 * @example
 * ```ts
 * import { xai } from 'rx-model-stream';
 *
 * console.log(xai().lifecycleOf({ value: { type: 'response.done', response: {} } }).ending); // final
 * ```
 */
export function xai({ session = false }: SessionOptions = {}): Provider<XaiTurn, XaiToolMessage> {
  return {
    name: NAME,
    session,
    laneOf: responsesLaneOf,
    lifecycleOf,
    createMapper,
    toolResults: (results, turn) => xaiToolResults(results, turn, session),
  };
}

function apiOf({ value }: Payload): Api | undefined {
  const event = objectOf(value);
  const type = textIn(event, 'type');
  if (event && 'choices' in event) return 'chat';
  if (type === undefined) return undefined;
  if (type.startsWith('response.')) return 'responses';
  return MESSAGE_EVENTS.has(type) ? 'messages' : undefined;
}

const MESSAGE_EVENTS: ReadonlySet<string> = new Set([
  'ping',
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

function lifecycleOf(payload: Payload): Lifecycle {
  switch (apiOf(payload)) {
    case 'responses':
      return responsesLifecycleOf(payload, NAME);
    case 'messages':
      return anthropicLifecycleOf(payload, NAME);
    default:
      return chatLifecycleOf(payload, NAME); // knows failures in every shape
  }
}

function createMapper(): Stage<Payload, ModelEvent<XaiTurn>> {
  let api: Api | undefined;
  let mapper: Stage<Payload, ModelEvent<XaiTurn>> | undefined;
  return {
    push(payload, emit) {
      if (payload.value === DONE && api !== undefined && api !== 'chat') throw sentinelInPlaceOfEnd();
      api ??= apiOf(payload);
      mapper ??= api && MAPPERS[api]();
      mapper?.push(payload, emit);
    },
    end(emit) {
      (mapper ?? MAPPERS.chat()).end(emit);
    },
    fail(error, emit) {
      const failing = mapper ?? MAPPERS.responses(); // the only one that is spoken in sessions
      if (!failing.fail) throw error;
      failing.fail(error, emit);
    },
  };
}

/** Only Chat ends with the sentinel: elsewhere one that is heard is that of a relay, whose own source broke off. */
function sentinelInPlaceOfEnd(): ModelStreamError {
  return new ModelStreamError('truncated', 'Stream ended before its terminal signal', {
    provider: NAME,
    retryable: true,
  });
}

const MAPPERS: Readonly<Record<Api, () => Stage<Payload, ModelEvent<XaiTurn>>>> = {
  chat: () => createChatMapper(NAME),
  responses: () => createResponsesMapper({ name: NAME, callFactsOf, usageOf }),
  messages: () => createAnthropicMapper(NAME),
};
