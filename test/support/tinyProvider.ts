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
export type TinyWire =
  | { readonly start: string }
  | { readonly say: string }
  | { readonly spent: number }
  | { readonly reason: FinishReason }
  | { readonly fault: ModelStreamError }
  | { readonly unheardOf: unknown }
  | 'ping'
  | 'stop';

export interface TinyTurn {
  readonly said: string;
}

/** @param options.reasonMayEnd - Whether the body may end after a reason, without the terminal signal `stop`. */
export function tiny({ reasonMayEnd = false } = {}): Provider<TinyTurn> {
  function lifecycleOf({ value }: Payload): Lifecycle {
    const wire = value as TinyWire;
    if (wire === 'ping') return { phase: 'idle' };
    if (wire === 'stop') return { phase: 'content', ending: 'final' };
    if ('start' in wire) return { phase: 'preamble' };
    if ('fault' in wire) return { phase: 'content', error: wire.fault };
    if ('reason' in wire && reasonMayEnd) return { phase: 'content', ending: 'possible' };
    return { phase: 'content' };
  }
  return { name: 'tiny', lifecycleOf, createMapper: createTinyMapper };
}

function createTinyMapper(): Stage<Payload, ModelEvent<TinyTurn>> {
  let started = false;
  let said = '';
  let reason: FinishReason = 'other';
  return {
    push({ value }, emit) {
      const wire = value as Exclude<TinyWire, 'ping'>;
      if (wire === 'stop') return;
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
      if (said !== '') emit({ type: 'block-end', index: 0, block: { kind: 'text', text: said } });
      emit({ type: 'finish', reason, turn: { said } });
    },
  };
}

export function tinyFrame(value: TinyWire): JsonFrame<TinyWire> {
  return { type: 'json', value };
}
