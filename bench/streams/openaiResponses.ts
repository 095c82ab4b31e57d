import { contentOf, type Answer, type AnswerBlock } from './answer';

/** The events of OpenAI Responses that say this answer, each block an output item. */
export function* openaiResponsesEvents(answer: Answer): Generator<object> {
  let next = 0;
  const numbered = (type: string, fields: object): object => ({ type, sequence_number: next++, ...fields });
  yield numbered('response.created', { response: RESPONSE });
  yield numbered('response.in_progress', { response: RESPONSE });
  for (const [output_index, block] of answer.entries()) {
    const write = block.kind === 'text' ? messageEvents : callEvents;
    for (const [type, fields] of write(block, output_index)) yield numbered(type, { output_index, ...fields });
  }
  const output = answer.map((block, index) => itemOf(block, index, 'completed'));
  yield numbered('response.completed', { response: { ...RESPONSE, status: 'completed', output, usage: USAGE } });
}

type NamedEvent = readonly [type: string, fields: object];

function* messageEvents(block: AnswerBlock, index: number): Generator<NamedEvent> {
  const place = { item_id: idOf(block, index), content_index: 0 };
  yield ['response.output_item.added', { item: itemOf(block, index, 'in_progress') }];
  yield ['response.content_part.added', { ...place, part: partOf('') }];
  for (const delta of block.pieces) {
    yield ['response.output_text.delta', { ...place, delta, logprobs: [], obfuscation: 'x7KqWm9' }];
  }
  yield ['response.output_text.done', { ...place, text: contentOf(block), logprobs: [] }];
  yield ['response.content_part.done', { ...place, part: partOf(contentOf(block)) }];
  yield ['response.output_item.done', { item: itemOf(block, index, 'completed') }];
}

function* callEvents(block: AnswerBlock, index: number): Generator<NamedEvent> {
  const place = { item_id: idOf(block, index) };
  yield ['response.output_item.added', { item: itemOf(block, index, 'in_progress') }];
  for (const delta of block.pieces) {
    yield ['response.function_call_arguments.delta', { ...place, delta, obfuscation: 'x7KqWm9' }];
  }
  yield ['response.function_call_arguments.done', { ...place, arguments: contentOf(block) }];
  yield ['response.output_item.done', { item: itemOf(block, index, 'completed') }];
}

const RESPONSE = {
  id: 'resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654',
  object: 'response',
  created_at: 1741290958,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  model: 'gpt-5-2025-08-07',
  output: [],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage: null,
};

const USAGE = {
  input_tokens: 37,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20_000,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 20_037,
};

function idOf({ kind }: AnswerBlock, index: number): string {
  return `${kind === 'text' ? 'msg' : 'fc'}_${String(index).padStart(48, '0')}`;
}

function itemOf(block: AnswerBlock, index: number, status: 'in_progress' | 'completed'): object {
  const id = idOf(block, index);
  const content = status === 'completed' ? contentOf(block) : '';
  if (block.kind === 'tool-call') {
    return { id, type: 'function_call', status, name: 'write', call_id: `call_${index}`, arguments: content };
  }
  return { id, type: 'message', status, role: 'assistant', content: content === '' ? [] : [partOf(content)] };
}

function partOf(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}
