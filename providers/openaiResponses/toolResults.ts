import { contentText, outcomeText, quotedId, unanswerable, type ToolResult } from '../../src/toolResults';
import { numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { callFactsOf } from './calls';
import type {
  Approval,
  Called,
  CommandOutput,
  ComputerOutput,
  LocalShellOutput,
  OpenAIResponsesToolOutput,
  PatchOutput,
  ShellOutput,
  TextOutput,
} from './toolOutput';
import { itemIn } from './item';
import type { OpenAIResponsesTurn } from './turn';

type WriteOutput = (result: ToolResult, item: WireObject) => OpenAIResponsesToolOutput;

/** How a call is answered, by the type of its item. Source: `ResponseInputItem` of openai 7.59.0. */
const OUTPUTS: ReadonlyMap<string, WriteOutput> = new Map<string, WriteOutput>([
  ['apply_patch_call', patchOutput],
  ['shell_call', shellOutput],
  ['local_shell_call', localShellOutput],
  ['computer_call', computerOutput],
  ['mcp_approval_request', approval],
  ['tool_search_call', toolSearchOutput],
]);

export function responsesToolResults(
  results: readonly ToolResult[],
  turn: OpenAIResponsesTurn = [],
): OpenAIResponsesToolOutput[] {
  const wires = turn.flatMap((item) => itemIn(item) ?? []);
  const items = new Map(wires.map((item) => [callFactsOf(item)?.id, item]));
  return results.map((result) => {
    const item = items.get(result.call.id) ?? {};
    return (OUTPUTS.get(textIn(item, 'type') ?? '') ?? textOutput)(result, item);
  });
}

function textOutput(result: ToolResult, item: WireObject): TextOutput {
  const type = result.call.format === 'text' ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: quotedId(result.call), output: outcomeText(result), ...calledIn(item) };
}

function patchOutput(result: ToolResult, item: WireObject): PatchOutput {
  const status = result.isError ? 'failed' : 'completed';
  return {
    type: 'apply_patch_call_output',
    call_id: quotedId(result.call),
    status,
    output: contentText(result),
    ...calledIn(item),
  };
}

/** The outputs of the commands; a text is what one command wrote. */
function shellOutput(result: ToolResult, item: WireObject): ShellOutput {
  const outputs = Array.isArray(result.content) ? result.content.map(commandOutputOf) : [];
  const isWhole = outputs.length > 0 && !outputs.includes(undefined);
  const output = isWhole ? outputs.filter((command) => command !== undefined) : [writtenBy(result)];
  return { type: 'shell_call_output', call_id: quotedId(result.call), output, ...calledIn(item) };
}

function commandOutputOf(value: unknown): CommandOutput | undefined {
  const wire = objectOf(value);
  const outcome = objectIn(wire, 'outcome');
  const stdout = textIn(wire, 'stdout');
  const stderr = textIn(wire, 'stderr');
  const exit_code = numberIn(outcome, 'exit_code');
  if (stdout === undefined || stderr === undefined) return undefined;
  if (outcome?.['type'] === 'timeout') return { stdout, stderr, outcome: { type: 'timeout' } };
  return exit_code === undefined ? undefined : { stdout, stderr, outcome: { type: 'exit', exit_code } };
}

function writtenBy(result: ToolResult): CommandOutput {
  const text = contentText(result);
  return result.isError
    ? { stdout: '', stderr: text, outcome: { type: 'exit', exit_code: 1 } }
    : { stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } };
}

function localShellOutput(result: ToolResult): LocalShellOutput {
  const id = quotedId(result.call);
  return { type: 'local_shell_call_output', id, call_id: id, output: outcomeText(result) };
}

/** The screenshot, `{ type: 'computer_screenshot', image_url }`: there is no other answer, not for a failure either. */
function computerOutput({ call, content, isError }: ToolResult): ComputerOutput {
  const screenshot = objectOf(content);
  const place = present({ image_url: wordIn(screenshot, 'image_url'), file_id: wordIn(screenshot, 'file_id') });
  if (isError || Object.keys(place).length === 0) {
    throw unanswerable(call, 'its result is a screenshot, with an image_url or a file_id');
  }
  return { type: 'computer_call_output', call_id: quotedId(call), output: { type: 'computer_screenshot', ...place } };
}

/** `true` lets OpenAI make the call, `false` forbids it, a failure says why. */
function approval(result: ToolResult): Approval {
  const { call, content, isError } = result;
  const known = { type: 'mcp_approval_response', approval_request_id: quotedId(call) } as const;
  if (isError) return { ...known, approve: false, reason: contentText(result) };
  if (typeof content !== 'boolean') throw unanswerable(call, 'its result is true or false');
  return { ...known, approve: content };
}

function toolSearchOutput({ call }: ToolResult): never {
  throw unanswerable(call, 'its result is a list of tools, to be written as a tool_search_output');
}

/** A call that a program made says so in its answer too. */
function calledIn(item: WireObject): Called {
  const caller = objectIn(item, 'caller');
  const caller_id = wordIn(caller, 'caller_id');
  return caller?.['type'] === 'program' && caller_id !== undefined ? { caller: { type: 'program', caller_id } } : {};
}
