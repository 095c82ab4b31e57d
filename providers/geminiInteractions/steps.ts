import { wordIn, type WireObject } from '../../src/wire';
import { createCall, isCall } from './call';
import { CONTENT_TYPES } from './eventTypes';
import { createOutput } from './output';
import { createResult, isResult } from './result';
import type { EmitEvent, Step, StepContext, Writer } from './step';
import { createThought } from './thought';
import type { WireStep, GeminiInteractionsTurn } from './turn';
import { createUnknownStep } from './unknownStep';

/** The steps of one answer, over all of its hops. */
export interface Steps {
  /** Whether a call waits for the client. */
  readonly hasClientCall: boolean;
  /** The steps of before are over, and their indexes begin anew. */
  beginHop(emit: EmitEvent): void;
  start(index: number | undefined, wire: WireStep, emit: EmitEvent): void;
  read(index: number | undefined, delta: WireObject, emit: EmitEvent): void;
  stop(index: number | undefined, event: unknown, emit: EmitEvent): void;
  /**
   * Takes the steps of the finished interaction: those that were never streamed are read now, and what is missing of those
   * that were not ended. What the client had said may stand among them. Where the answer was cut, its last step was, and is
   * left to the ending.
   */
  complete(wires: readonly WireStep[], isCut: boolean, event: unknown, emit: EmitEvent): void;
  /** Ends what is open. Where the answer was cut, so are the calls among it. */
  end(isCut: boolean, emit: EmitEvent): void;
  turn(): GeminiInteractionsTurn;
}

interface StepAt {
  readonly index: number;
  readonly type: string;
  readonly step: Step;
  isEnded: boolean;
}

/** What may come of a step after its end. */
const LATE: ReadonlySet<string> = new Set(['thought_signature', 'text_annotation_delta', 'text_annotation']);

/** A step's key is its hop and its `index`. Several may be open at once. */
export function createSteps(writer: Writer): Steps {
  const context: StepContext = { writer, calls: new Map(), clientCalls: new Set() };
  const before: StepAt[] = []; // of earlier hops
  let current: StepAt[] = [];
  const byIndex = new Map<number, StepAt>();
  let latest: StepAt | undefined; // what an event without an index means

  function at(index: number | undefined): StepAt | undefined {
    return index === undefined ? latest : byIndex.get(index);
  }

  function add(index: number | undefined, wire: WireStep): StepAt {
    const place = index ?? (latest ? latest.index + 1 : 0);
    const added = { index: place, type: wire.type, step: createStep(wire, context), isEnded: false };
    current.push(added);
    byIndex.set(place, added);
    if (isKnown(wire.type)) latest = added;
    return added;
  }

  function begun(index: number | undefined, wire: WireStep, emit: EmitEvent): StepAt {
    const added = add(index, wire);
    added.step.begin(emit);
    return added;
  }

  function endStep(found: StepAt | undefined, event: unknown, emit: EmitEvent): void {
    if (!found || found.isEnded) return;
    found.isEnded = true;
    found.step.end(event, false, emit);
  }

  return {
    get hasClientCall() {
      return context.clientCalls.size > 0;
    },
    beginHop(emit) {
      for (const found of current) endStep(found, undefined, emit);
      for (const found of inOrder(current)) before.push(found);
      current = [];
      byIndex.clear();
      latest = undefined;
    },
    start(index, wire, emit) {
      if (index !== undefined) endStep(at(index), undefined, emit); // a second start at this index
      begun(index, wire, emit);
    },
    read(index, delta, emit) {
      const type = wordIn(delta, 'type') ?? '';
      let found = at(index);
      if (!found) {
        const wire = stepOfDelta(type);
        found = wire && add(index, wire);
      }
      if (found && (!found.isEnded || LATE.has(type))) found.step.read(delta, emit);
    },
    stop(index, event, emit) {
      endStep(at(index), event, emit);
    },
    complete(told, isCut, event, emit) {
      const wires = current.some(isOfClient) ? told : withoutInput(told);
      const isSameList = current.every(({ index, type }) => !isKnown(type) || wires[index]?.type === type);
      if (!isSameList) return;
      for (const [index, wire] of wires.entries()) {
        const found = byIndex.get(index) ?? begun(index, wire, emit);
        if (found.isEnded) signLate(found, wire, emit);
        else if (found.type === wire.type) found.step.complete(wire, emit);
        if (!isCut || index < wires.length - 1) endStep(found, event, emit);
      }
    },
    end(isCut, emit) {
      for (const { step } of [...before, ...current]) step.end(undefined, isCut, emit);
    },
    turn() {
      return [...before, ...inOrder(current)].flatMap(({ step }) => step.turn() ?? []);
    },
  };
}

function createStep(wire: WireStep, context: StepContext): Step {
  if (wire.type === 'model_output') return createOutput(wire, context);
  if (wire.type === 'thought') return createThought(wire, context);
  if (isCall(wire.type)) return createCall(wire, context);
  return isResult(wire.type) ? createResult(wire, context) : createUnknownStep(wire);
}

/** A signature that comes after its step, and that the stream did not bring. */
function signLate({ step }: StepAt, { signature }: WireStep, emit: EmitEvent): void {
  if (typeof signature !== 'string' || signature === '' || step.turn()?.['signature'] === signature) return;
  step.read({ type: 'thought_signature', signature }, emit);
}

/** Whether the client said it, or it is told of the client: then the stream counts such steps as well. */
function isOfClient({ type, step }: StepAt): boolean {
  return type === 'user_input' || (type === 'function_result' && step.turn() === undefined);
}

/** The steps of the model, as their stream counts them: without what the client said and what its functions gave back. */
function withoutInput(wires: readonly WireStep[]): readonly WireStep[] {
  const called = new Set(wires.filter(({ type }) => isCall(type)).map((wire) => wire['id']));
  return wires.filter((wire) => {
    return wire.type !== 'user_input' && (wire.type !== 'function_result' || called.has(wire['call_id']));
  });
}

function isKnown(type: string): boolean {
  return type === 'model_output' || type === 'thought' || isCall(type) || isResult(type);
}

/** The step that a delta belongs to whose start never came, where its type tells it. */
function stepOfDelta(type: string): WireStep | undefined {
  if (CONTENT_TYPES.has(type)) return { type: 'model_output' };
  if (type === 'thought_summary' || type === 'thought_signature') return { type: 'thought' };
  return isCall(type) || isResult(type) ? { type } : undefined;
}

/** By index: a step that the end of the interaction added has its place before others. */
function inOrder(steps: readonly StepAt[]): readonly StepAt[] {
  return [...steps].sort((a, b) => a.index - b.index);
}
