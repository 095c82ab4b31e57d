import { ModelStreamError } from '../errors';
import { present } from '../wire';

/** The work is done · no code was sent. Source: RFC 6455 7.4.1. */
const GOOD_CODES: ReadonlySet<number> = new Set([1000, 1005]);

/**
 * Going away · connection lost · internal error · restart · try again later · TLS failed.
 * Source: the registry of close codes at IANA.
 */
const RETRYABLE_CODES: ReadonlySet<number> = new Set([1001, 1006, 1011, 1012, 1013, 1015]);

/** As long as a reason can be on the wire, in bytes. */
const MAX_REASON_LENGTH = 123;

/** What is said of a connection that was lost, or never came to be: nobody sent this code. */
export const LOST = 1006;

/**
 * The failure that a close is, by its code alone: `wasClean` only says that both sides agreed to close.
 *
 * @param cause - The error that the socket reported before.
 * @returns undefined where the stream has come to its end.
 */
export function closeFailure(code: number, reason: string, cause: unknown): ModelStreamError | undefined {
  if (GOOD_CODES.has(code)) return undefined;
  const why = reason === '' ? '' : `: ${reason.slice(0, MAX_REASON_LENGTH)}`;
  return new ModelStreamError('network', `Connection was closed with code ${code}${why}`, {
    providerCode: String(code),
    retryable: RETRYABLE_CODES.has(code),
    ...present({ cause }),
  });
}
