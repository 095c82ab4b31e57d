/** One row of the conformance data for responses and requests around an event stream. */
export interface HttpCase {
  readonly id: string;
  readonly title: string;
  readonly rule: string;
  /** Whether it holds for a client that is built on `fetch` and posts. */
  readonly fetchPost: 'same' | 'differs' | 'no' | 'only';
  readonly exchange: readonly HttpExchange[];
  readonly expect: { readonly eventSource?: HttpOutcome; readonly fetchPost?: HttpOutcome };
  readonly accept?: { readonly fetchPost?: readonly HttpOutcome[] };
}

/** A request as it is expected, and what it is answered with. */
export interface HttpExchange {
  readonly request?: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Bytes in hexadecimal digits. */
    readonly headersHex?: Readonly<Record<string, string>>;
    readonly absent?: readonly string[];
    readonly body?: string;
    readonly origin?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly encodeBody?: 'gzip';
    /** The connection breaks after the body. */
    readonly then?: 'networkError';
  };
  /** The connection breaks before there is a response. */
  readonly networkError?: true;
  /** There is no response. */
  readonly pending?: true;
}

export interface HttpOutcome {
  readonly outcome: 'open' | 'reconnect' | 'complete' | 'fail' | 'error' | 'closed';
  readonly kind?: 'status' | 'content-type' | 'network' | 'redirect' | 'no-body';
  readonly status?: number;
  readonly events: readonly HttpEvent[];
  readonly requests?: number;
  /** The waits before the second request, the third … at least. */
  readonly delayMs?: readonly number[];
  readonly bodyText?: string;
  readonly redirectedRequest?: { readonly method: string; readonly body: 'none' | 'same' };
}

export interface HttpEvent {
  readonly type: string;
  readonly data: string;
  readonly lastEventId: string;
}
