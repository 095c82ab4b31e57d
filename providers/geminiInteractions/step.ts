import type { ModelEvent } from '../../src/events';
import type { ResponseWriter } from '../../src/responseWriter';
import type { Emit } from '../../src/stage';
import type { WireObject } from '../../src/wire';
import type { WireStep, GeminiInteractionsTurn } from './turn';

export type Writer = ResponseWriter<GeminiInteractionsTurn>;
export type EmitEvent = Emit<ModelEvent<GeminiInteractionsTurn>>;

/** A step of the wire, from its first event on: what becomes of it in blocks and in the turn. */
export interface Step {
  /** Says what the start of the step holds already. */
  begin(emit: EmitEvent): void;
  /** Reads a delta; one that it has no word for it leaves alone. */
  read(delta: WireObject, emit: EmitEvent): void;
  /** Takes the step whole, where its stream ended before it did: says what is missing. */
  complete(whole: WireStep, emit: EmitEvent): void;
  /**
   * Ends its blocks, as often as it is asked to.
   *
   * @param event - The payload that ends the step, if one does.
   * @param isCut - Whether the answer ended before the step did.
   */
  end(event: unknown, isCut: boolean, emit: EmitEvent): void;
  /** As the next request echoes it; undefined when there is nothing to echo. */
  turn(): WireStep | undefined;
}

/** A call that was shown. */
export interface ShownCall {
  readonly name: string;
  /** Takes note that its result is in the answer as well: there is nothing left to run. */
  answer(emit: EmitEvent): void;
}

/** What the steps of an answer share. */
export interface StepContext {
  readonly writer: Writer;
  /** By id, for the results that quote it. */
  readonly calls: Map<string, ShownCall>;
  /** Those that the client has to answer. */
  readonly clientCalls: Set<ShownCall>;
}

/** Where the empty text says as little as null. */
const NAMES: ReadonlySet<string> = new Set(['id', 'call_id', 'name', 'signature']);

/** The step with what a delta tells of it. */
export function withTold(step: WireStep, delta: WireObject): WireStep {
  return { ...step, ...toldIn(delta), type: step.type };
}

/** The step without what says nothing: an id or a signature that is empty is none. */
export function echoOf(step: WireStep): WireStep {
  return { ...toldIn(step), type: step.type };
}

function toldIn(wire: WireObject): WireObject {
  return Object.fromEntries(
    Object.entries(wire).filter(([field, value]) => value !== null && !(value === '' && NAMES.has(field))),
  );
}
