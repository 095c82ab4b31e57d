import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { listIn, objectIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';
import { failureIn } from '../google/failure';

/**
 * What a chunk says of the life of the answer. A finish reason makes the end of the body an ending; content that comes
 * after it without one makes it again a cut.
 */
export function geminiLifecycleOf({ value }: Payload, provider: string): Lifecycle {
  if (value === DONE) return { phase: 'idle' }; // of a relay
  const error = failureIn(provider, value);
  if (error) return { phase: 'content', error };
  const chunk = objectOf(value);
  if (chunk === undefined) return { phase: 'content' };
  const candidates = listIn(chunk, 'candidates').map(objectOf);
  const isFinished = candidates.some((candidate) => wordIn(candidate, 'finishReason') !== undefined);
  if (isFinished || blockReasonIn(chunk) !== undefined) return { phase: 'content', ending: 'possible' };
  if (candidates.some(hasContent)) return { phase: 'content', ending: 'open' };
  return { phase: 'candidates' in chunk || 'usageMetadata' in chunk ? 'preamble' : 'content' };
}

/** Why the prompt was not answered. */
export function blockReasonIn(chunk: WireObject): string | undefined {
  const reason = wordIn(objectIn(chunk, 'promptFeedback'), 'blockReason');
  return reason === 'BLOCKED_REASON_UNSPECIFIED' ? undefined : reason;
}

/** Whether a candidate says something; an empty text does not, but for a signature that it carries. */
export function hasContent(candidate: WireObject | undefined): boolean {
  return listIn(objectIn(candidate, 'content'), 'parts').some((part) => !isEmptyText(objectOf(part)));
}

function isEmptyText(part: WireObject | undefined): boolean {
  return part === undefined || (textIn(part, 'text') === '' && wordIn(part, 'thoughtSignature') === undefined);
}
