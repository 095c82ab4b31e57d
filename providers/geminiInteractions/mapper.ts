import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import { listIn, numberIn, objectIn, objectOf, present, wordIn, type WireObject } from '../../src/wire';
import { eventTypeOf, stepIn, stepOf } from './eventTypes';
import type { EmitEvent } from './step';
import { createSteps } from './steps';
import type { GeminiInteractionsTurn } from './turn';
import { createUsageTotals, totalIn } from './usage';

/** What the status of a finished interaction means; `failed` is a failure. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['completed', 'stop'],
  ['requires_action', 'tool-calls'],
  ['incomplete', 'length'],
  ['budget_exceeded', 'length'],
  ['requires_continuation', 'pause'],
  ['cancelled', 'cancelled'],
]);

/** Translates the events of one interaction, which may take several hops. */
export function createInteractionsMapper(name: string): Stage<Payload, ModelEvent<GeminiInteractionsTurn>> {
  const writer = createResponseWriter<GeminiInteractionsTurn>(name);
  const steps = createSteps(writer);
  const totals = createUsageTotals();
  let hasBegun = false;
  let status: string | undefined;
  let continuationToken: string | undefined;

  function beginHop(emit: EmitEvent): void {
    if (hasBegun) {
      steps.beginHop(emit);
      totals.beginHop();
      continuationToken = undefined;
    }
    hasBegun = true;
  }

  /** `interaction { id, model }`, of an agent `agent` in place of the model. The id is empty where nothing is stored. */
  function introduce(interaction: WireObject | undefined, emit: EmitEvent): void {
    const model = wordIn(interaction, 'model') ?? wordIn(interaction, 'agent');
    writer.begin(present({ responseId: wordIn(interaction, 'id'), model }), emit);
  }

  function complete(event: WireObject, emit: EmitEvent): void {
    const interaction = objectIn(event, 'interaction');
    status = wordIn(interaction, 'status');
    if (status === 'failed') return; // the failure is reported as such
    introduce(interaction, emit);
    continuationToken = wordIn(interaction, 'continuation_token') ?? continuationToken;
    const finished = [...listIn(interaction, 'steps'), ...listIn(interaction, 'outputs')].flatMap(
      (value) => stepOf(value) ?? [],
    );
    steps.complete(finished, isCut(status), event, emit);
  }

  function read(event: WireObject, emit: EmitEvent): void {
    switch (eventTypeOf(event)) {
      case 'interaction.created':
        beginHop(emit);
        introduce(objectIn(event, 'interaction'), emit);
        return;
      case 'interaction.status_update':
      case 'interaction.in_progress':
      case 'interaction.requires_action':
        introduce({ id: event['interaction_id'] }, emit);
        continuationToken = wordIn(event, 'continuation_token') ?? continuationToken;
        return;
      case 'step.start': {
        const step = stepIn(event);
        if (step) steps.start(numberIn(event, 'index'), step, emit);
        return;
      }
      case 'step.delta': {
        const delta = objectIn(event, 'delta');
        if (delta) steps.read(numberIn(event, 'index'), delta, emit);
        return;
      }
      case 'step.stop':
        steps.stop(numberIn(event, 'index'), event, emit);
        return;
      case 'interaction.completed':
        complete(event, emit);
        return;
      default: // failures, and what is not known yet: raw
    }
  }

  return {
    push({ value }, emit) {
      const event = objectOf(value);
      if (!event) return;
      read(event, emit);
      const total = totalIn(event);
      const usage = total && totals.read(total);
      if (usage) writer.usage(usage, emit);
    },
    end(emit) {
      const reason = reasonOf(status, steps.hasClientCall);
      steps.end(isCut(status), emit);
      const token = reason === 'pause' ? continuationToken : undefined;
      writer.finish({ reason, ...present({ rawReason: status, continuationToken: token }), turn: steps.turn() }, emit);
    },
  };
}

/** Whether the answer ended in the middle of what it said. */
function isCut(status: string | undefined): boolean {
  const reason = REASONS.get(status ?? '');
  return reason === 'length' || reason === 'cancelled';
}

function reasonOf(status: string | undefined, hasClientCall: boolean): FinishReason {
  const reason = REASONS.get(status ?? '') ?? 'other';
  return reason === 'stop' && hasClientCall ? 'tool-calls' : reason;
}
