import {
  ModelStreamError,
  type FinishReason,
  type JsonFrame,
  type Lifecycle,
  type ModelEvent,
  type Payload,
  type Provider,
  type Stage,
} from 'rx-model-stream';

/** The wire of a provider that exists in tests only: one word for each thing `normalize` has to know. */
export type TinyWire = 'ping' | 'stop' | (TinyWord & { readonly lane?: string });

type TinyWord =
  | { readonly start: string }
  | { readonly say: string }
  | { readonly spent: number }
  | { readonly reason: FinishReason }
  | { readonly fault: ModelStreamError }
  | { readonly unheardOf: unknown }
  | { readonly stop: true };

export interface TinyTurn {
  readonly said: string;
}

/**
 * @param options.reasonMayEnd - Whether the body may end after a reason, without the terminal signal `stop`.
 * @param options.session - Whether many responses come, told apart by their `lane` where it is there.
 */
export function tiny({ reasonMayEnd = false, session = false } = {}): Provider<TinyTurn> {
  function lifecycleOf({ value }: Payload): Lifecycle {
    const wire = value as TinyWire;
    if (wire === 'ping') return { phase: 'idle' };
    if (wire === 'stop' || 'stop' in wire) return { phase: 'content', ending: 'final' };
    if ('start' in wire) return { phase: 'preamble' };
    if ('fault' in wire) return { phase: 'content', error: wire.fault };
    if ('reason' in wire && reasonMayEnd) return { phase: 'content', ending: 'possible' };
    return { phase: 'content' };
  }
  const provider = { name: 'tiny', lifecycleOf, createMapper: createTinyMapper };
  return session ? { ...provider, session, laneOf } : provider;
}

function laneOf({ value }: Payload): string | undefined {
  const wire = value as TinyWire;
  return typeof wire === 'string' ? undefined : wire.lane;
}

function createTinyMapper(): Stage<Payload, ModelEvent<TinyTurn>> {
  let started = false;
  let said = '';
  let reason: FinishReason = 'other';

  function close(emit: (event: ModelEvent<TinyTurn>) => void): void {
    if (said !== '') emit({ type: 'block-end', index: 0, block: { kind: 'text', text: said } });
  }

  return {
    push({ value }, emit) {
      const wire = value as Exclude<TinyWire, 'ping'>;
      if (wire === 'stop' || 'stop' in wire) return;
      if ('start' in wire) {
        if (started) throw new ModelStreamError('malformed', 'Cannot start twice');
        started = true;
        emit({ type: 'response-start', provider: 'tiny', responseId: wire.start });
      }
      if ('say' in wire) {
        if (said === '') emit({ type: 'block-start', index: 0, block: { kind: 'text', text: '' } });
        said += wire.say;
        emit({ type: 'text-delta', index: 0, text: wire.say });
      }
      if ('spent' in wire) emit({ type: 'usage', usage: { outputTokens: wire.spent } });
      if ('reason' in wire) reason = wire.reason;
      if ('fault' in wire) emit({ type: 'usage', usage: { outputTokens: said.length } });
    },
    end(emit) {
      close(emit);
      emit({ type: 'finish', reason, turn: { said } });
    },
    fail(error, emit) {
      close(emit);
      if (error instanceof ModelStreamError) emit({ type: 'finish', reason: 'error', error });
    },
  };
}

export function tinyFrame(value: TinyWire): JsonFrame<TinyWire> {
  return { type: 'json', value };
}

/** A mapper that cannot tell of a failed response. */
export function withoutFail<In, Out>(stage: Stage<In, Out>): Stage<In, Out> {
  return {
    push: (input, emit) => {
      stage.push(input, emit);
    },
    end: (emit) => {
      stage.end(emit);
    },
  };
}
