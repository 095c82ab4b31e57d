import type { ToolCallBlock } from '../../src/blocks';
import { objectIn, textIn, wordIn, type WireObject } from '../../src/wire';
import type { WireItem } from './turn';

/** What an item says of the call it is. */
export interface CallFacts {
  readonly id: string;
  /** Absent while it is not known: a call cannot be shown without its name. */
  readonly name: string | undefined;
  readonly format: ToolCallBlock['format'];
  /** Whether OpenAI runs it; else the client has to answer it. */
  readonly providerExecuted: boolean;
  /** The arguments as far as the item has them. Where they are an object, only the finished item has them. */
  readonly arguments: string | undefined;
  /** Whether the arguments arrive as text, so that the item's first appearance may hold their beginning. */
  readonly streamed: boolean;
}

/** The facts of each item type that is a call. Source: `ResponseOutputItem` of openai 7.59.0. */
const CALLS: ReadonlyMap<string, (item: WireObject) => CallFacts> = new Map([
  ['function_call', (item) => streamedCall(item, 'call_id', 'arguments', 'json', false)],
  ['custom_tool_call', (item) => streamedCall(item, 'call_id', 'input', 'text', false)],
  ['mcp_call', (item) => streamedCall(item, 'id', 'arguments', 'json', true)],
  ['mcp_approval_request', (item) => streamedCall(item, 'id', 'arguments', 'json', false)],
  ['apply_patch_call', (item) => builtIn(item, 'call_id', 'apply_patch', patchArgumentsOf(item), false)],
  ['computer_call', (item) => builtIn(item, 'call_id', 'computer', item['action'] ?? item['actions'], false)],
  ['local_shell_call', (item) => builtIn(item, 'call_id', 'local_shell', item['action'], false)],
  ['shell_call', (item) => builtIn(item, 'call_id', 'shell', item['action'], isContainer(item))],
  [
    'tool_search_call',
    (item) => builtIn(item, 'call_id', 'tool_search', item['arguments'], item['execution'] !== 'client'),
  ],
  ['web_search_call', (item) => builtIn(item, 'id', 'web_search', item['action'], true)],
  ['file_search_call', (item) => builtIn(item, 'id', 'file_search', { queries: item['queries'] }, true)],
  [
    'code_interpreter_call',
    (item) => builtIn(item, 'id', 'code_interpreter', { code: item['code'], container_id: item['container_id'] }, true),
  ],
  ['image_generation_call', (item) => builtIn(item, 'id', 'image_generation', {}, true)],
  ['program', (item) => builtIn(item, 'call_id', 'program', { code: item['code'] }, true)],
]);

/** What the item says of its call, or undefined when it is no call. */
export function callFactsOf(item: WireItem): CallFacts | undefined {
  return CALLS.get(item.type)?.(item);
}

function streamedCall(
  item: WireObject,
  idField: string,
  argumentsField: string,
  format: CallFacts['format'],
  providerExecuted: boolean,
): CallFacts {
  return {
    id: textIn(item, idField) ?? '',
    name: wordIn(item, 'name'),
    format,
    providerExecuted,
    arguments: textIn(item, argumentsField),
    streamed: true,
  };
}

export function builtIn(
  item: WireObject,
  idField: string,
  name: string,
  action: unknown,
  providerExecuted: boolean,
): CallFacts {
  return {
    id: wordIn(item, idField) ?? textIn(item, 'id') ?? '',
    name,
    format: 'json',
    providerExecuted,
    arguments: JSON.stringify(action ?? {}),
    streamed: false,
  };
}

/** A shell runs at the client unless the item names a container. */
function isContainer(item: WireObject): boolean {
  const environment = objectIn(item, 'environment');
  return environment !== undefined && environment['type'] !== 'local';
}

/** The operation with its diff last, so that the diff can be streamed as the end of a growing JSON text. */
function patchArgumentsOf(item: WireObject): WireObject | undefined {
  const operation = objectIn(item, 'operation');
  if (operation?.['diff'] === undefined) return operation;
  const { diff, ...rest } = operation;
  return { ...rest, diff };
}

/** How the arguments of a patch begin, up to the first character of the diff. */
export function patchPrefixOf(item: WireObject): string {
  return JSON.stringify(patchArgumentsOf({ operation: { ...objectIn(item, 'operation'), diff: '' } })).slice(0, -2);
}

/** A piece of text as it stands inside a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
