import { ModelStreamError } from '../../src/errors';
import type { ChoiceFinish, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Emit, Stage } from '../../src/stage';
import { listIn, numberIn, objectIn, objectOf, overwritten, present, wordIn, type WireObject } from '../../src/wire';
import { createCandidate, type Candidate } from './candidate';
import type { GeminiOptions } from './index';
import { blockReasonIn } from './lifecycle';
import type { GeminiTurn } from './turn';
import { usageOf } from './usage';

export type EmitEvent = Emit<ModelEvent<GeminiTurn>>;

/** Translates the chunks of one answer. There are no block ids on the wire: blocks follow from the order of the parts. */
export function createGeminiMapper(name: string, options: GeminiOptions): Stage<Payload, ModelEvent<GeminiTurn>> {
  const writer = createResponseWriter<GeminiTurn>(name);
  const candidates = new Map<number, Candidate>();
  let usage: WireObject = {};
  let blockReason: string | undefined;

  function candidateAt(index: number): Candidate {
    let candidate = candidates.get(index);
    if (!candidate) candidates.set(index, (candidate = createCandidate(writer, index, name, options)));
    return candidate;
  }

  function read(chunk: WireObject, emit: EmitEvent): void {
    writer.begin(present({ responseId: wordIn(chunk, 'responseId'), model: wordIn(chunk, 'modelVersion') }), emit);
    blockReason = blockReasonIn(chunk) ?? blockReason;
    for (const value of listIn(chunk, 'candidates')) {
      const wire = objectOf(value);
      if (wire) candidateAt(numberIn(wire, 'index') ?? 0).read(wire, emit);
    }
    addUsage(objectIn(chunk, 'usageMetadata'), emit);
  }

  /** The counters are totals of the request: the last one told counts, even where it is smaller than before. */
  function addUsage(wire: WireObject | undefined, emit: EmitEvent): void {
    if (wire === undefined) return;
    usage = overwritten(usage, wire);
    const told = usageOf(usage);
    if (told) writer.usage(told, emit);
  }

  /** How each candidate ended. One that gave no reason was cut, unless the prompt turned out to be blocked. */
  function finishes(): ChoiceFinish[] {
    const blocked =
      blockReason === undefined ? undefined : ({ reason: 'content-filter', rawReason: blockReason } as const);
    if (candidates.size === 0 && blocked) return [{ choice: 0, ...blocked }];
    const ended = [...candidates].map(([choice, candidate]) => {
      const finish = candidate.finish() ?? blocked;
      if (finish === undefined) throw cutCandidate(name);
      return { choice, ...finish };
    });
    return ended.sort((a, b) => a.choice - b.choice);
  }

  return {
    push({ value }, emit) {
      const chunk = objectOf(value);
      if (chunk) read(chunk, emit);
    },
    end(emit) {
      const ended = finishes();
      for (const candidate of candidates.values()) candidate.end(emit);
      const { choice, ...first } = ended[0] ?? { choice: 0, reason: 'other' };
      const candidate = candidates.get(choice);
      const rest = present({ turn: candidate?.turn(), continuationToken: candidate?.continuationToken });
      writer.finish({ ...first, ...rest, ...(ended.length > 1 && { choices: ended }) }, emit);
    },
  };
}

function cutCandidate(provider: string): ModelStreamError {
  return new ModelStreamError('truncated', 'Stream ended before all its candidates had finished', {
    provider,
    retryable: true,
  });
}
