import type { OperatorFunction } from 'rxjs';
import type { ToolCallBlock } from '../src/blocks';
import type { ModelEvent } from '../src/events';
import { fromStage } from '../src/fromStage';
import { createSelection, type SelectionOptions } from '../src/selection';

/**
 * Picks the tool calls that the client has to run: each once, when its arguments are whole.
 *
 * 1. The arguments of a JSON call parse. A call that was cut never comes, nor does one that the provider runs itself.
 * 2. A call that was handed out cannot be taken back: after it a `restart` fails with its cause.
 *
 * ```text
 * events   --s--a--b--e--f|      a = block-start, b = tool-call-delta, e = block-end
 * calls    -----------c---|      c = the block of e
 * ```
 *
 * @param options.choice - Which alternative. Default 0.
 * @returns An operator that emits whole tool calls.
 *
 * @example
 * ```ts
 * import { of } from 'rxjs';
 * import { toolCalls, type ModelEvent } from 'rx-model-stream';
 *
 * const event: ModelEvent = {
 *   type: 'block-end',
 *   index: 0,
 *   block: { kind: 'tool-call', id: 'call_1', name: 'add', arguments: '{"a":1}', format: 'json', state: 'whole' },
 * };
 * of(event).pipe(toolCalls()).subscribe((call) => console.log(call.name, JSON.parse(call.arguments))); // add { a: 1 }
 * ```
 */
export function toolCalls(options: SelectionOptions = {}): OperatorFunction<ModelEvent, ToolCallBlock> {
  return fromStage(() =>
    createSelection(options, (event) => {
      if (event.type !== 'block-end' || event.block.kind !== 'tool-call') return undefined;
      return event.block.state === 'whole' && !event.block.providerExecuted ? event.block : undefined;
    }),
  );
}
