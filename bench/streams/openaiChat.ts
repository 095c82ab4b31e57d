import { contentsOf, type Answer, type AnswerBlock } from './answer';

/** The chunks of OpenAI Chat Completions that say this answer. All its texts are one: this API has no blocks. */
export function* openaiChatChunks(answer: Answer): Generator<object> {
  yield chunkOf({ role: 'assistant', content: '', refusal: null });
  let calls = 0;
  for (const block of answer) {
    if (block.kind === 'text') yield* textChunks(block);
    else yield* callChunks(block, calls++);
  }
  yield chunkOf({}, contentsOf(answer, 'tool-call') === '' ? 'stop' : 'tool_calls');
  yield { ...CHUNK, choices: [], usage: { prompt_tokens: 37, completion_tokens: 20_000, total_tokens: 20_037 } };
}

const CHUNK = {
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion.chunk',
  created: 1741569952,
  model: 'gpt-4.1-2025-04-14',
  service_tier: 'default',
  system_fingerprint: 'fp_44709d6fcb',
};

function* textChunks({ pieces }: AnswerBlock): Generator<object> {
  for (const content of pieces) yield chunkOf({ content });
}

function* callChunks({ pieces }: AnswerBlock, index: number): Generator<object> {
  const call = { index, id: `call_${String(index).padStart(24, '0')}`, type: 'function' };
  yield chunkOf({ tool_calls: [{ ...call, function: { name: 'write', arguments: '' } }] });
  for (const piece of pieces) yield chunkOf({ tool_calls: [{ index, function: { arguments: piece } }] });
}

function chunkOf(delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
  return { ...CHUNK, choices, usage: null, obfuscation: 'x7KqWm9' };
}
