import { contentsOf, type Answer, type AnswerBlock } from './answer';

/** The events of Anthropic Messages that say this answer. */
export function* anthropicEvents(answer: Answer): Generator<object> {
  yield { type: 'message_start', message: MESSAGE };
  for (const [index, block] of answer.entries()) {
    yield { type: 'content_block_start', index, content_block: startOf(block, index) };
    if (index === 0) yield { type: 'ping' };
    for (const piece of block.pieces) yield { type: 'content_block_delta', index, delta: deltaOf(block, piece) };
    yield { type: 'content_block_stop', index };
  }
  const stop_reason = contentsOf(answer, 'tool-call') === '' ? 'end_turn' : 'tool_use';
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20_000 } };
  yield { type: 'message_stop' };
}

const MESSAGE = {
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 25, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
};

function startOf({ kind }: AnswerBlock, index: number): object {
  return kind === 'text'
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: `toolu_${String(index).padStart(24, '0')}`, name: 'write', input: {} };
}

function deltaOf({ kind }: AnswerBlock, piece: string): object {
  return kind === 'text' ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece };
}
