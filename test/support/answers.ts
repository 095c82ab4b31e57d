import { anthropic, openaiResponses, type Provider } from 'rx-model-stream';

/** Payloads as an event stream. */
export function eventStream(...payloads: readonly object[]): string {
  return payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join('');
}

/** The answer of a model in the words of its provider: `Hello`, in two deltas. */
export interface Answer {
  readonly provider: Provider;
  /** What comes before the text. */
  readonly opening: readonly object[];
  readonly text: readonly [first: object, second: object];
  /** What comes after the text; the last one is the terminal signal. */
  readonly closing: readonly object[];
  /** A failure that the provider reports inside the stream. */
  readonly failure: object;
}

export const anthropicAnswer: Answer = {
  provider: anthropic(),
  opening: [
    { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 3 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ],
  text: [textDelta('Hel'), textDelta('lo')],
  closing: [
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ],
  failure: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
};

export const responsesAnswer: Answer = {
  provider: openaiResponses(),
  opening: [
    { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: messageItem([]) },
    { type: 'response.content_part.added', output_index: 0, content_index: 0, part: outputText('') },
  ],
  text: [outputTextDelta('Hel'), outputTextDelta('lo')],
  closing: [
    { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hello' },
    { type: 'response.content_part.done', output_index: 0, content_index: 0, part: outputText('Hello') },
    { type: 'response.output_item.done', output_index: 0, item: messageItem([outputText('Hello')]) },
    {
      type: 'response.completed',
      response: { id: 'resp_1', model: 'm', status: 'completed', output: [messageItem([outputText('Hello')])] },
    },
  ],
  failure: { type: 'error', code: 'server_error', message: 'Overloaded' },
};

/** The same answer of each provider, for tests that must hold whoever speaks. */
export const answers: readonly (readonly [name: string, answer: Answer])[] = [anthropicAnswer, responsesAnswer].map(
  (answer) => [answer.provider.name, answer],
);

export function wholeAnswer({ opening, text, closing }: Answer): string {
  return eventStream(...opening, ...text, ...closing);
}

function textDelta(text: string): object {
  return { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
}

function outputText(text: string): object {
  return { type: 'output_text', text, annotations: [] };
}

function outputTextDelta(delta: string): object {
  return { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta };
}

function messageItem(content: readonly object[]): object {
  return { type: 'message', id: 'msg_1', role: 'assistant', content };
}
