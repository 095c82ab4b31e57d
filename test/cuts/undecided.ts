/** A stream whose wire does not tell an ending from a cut at some places; the reason is for the reader of the summary. */
interface Undecided {
  readonly names: RegExp;
  readonly why: string;
}

/**
 * Here a cut can look exactly like an ending, and no reader can know better. Each of them is counted and shown; what is told
 * of the answer is a beginning of it nevertheless.
 */
export const UNDECIDED: readonly Undecided[] = [
  {
    names:
      /\/gemini\/(code-execution|error-bare|stop-on-every-chunk|truncated-after-stop|truncated-inside-event)\.sse$/,
    why: 'Gemini gave a finish reason in the middle of the answer, and says nothing at its end',
  },
  {
    names: /\/gemini-sse\/(code-execution-rounds|firebase-.*|two-terminals-mid-stream-finish)\.sse$/,
    why: 'Gemini gave a finish reason in the middle of the answer, and says nothing at its end',
  },
  {
    names: /\/gemini-interactions\/(hop-then-call|hops|pause-without-token|truncated-in-second-hop)\.sse$/,
    why: 'an interaction that asks to be continued ends with `pause`, or goes on in the same body',
  },
  {
    names: /\/(openai-chat\/openrouter-|compat-openrouter\/)(two-finish-reasons|error-.*after-length)\.sse$/,
    why: 'OpenRouter went on after the finish reason; where others leave `[DONE]` out, the answer ends there',
  },
  {
    names: /\/xai\/answer-with-search\.sse$/,
    why: 'xAI tells its sources after the finish reason; where others leave `[DONE]` out, the answer ends there',
  },
  { names: /\/lyria\//, why: 'music has no end: it is whole whenever the socket is closed' },
  { names: /\/gemini-live\/(speech-)?translation\.jsonl$/, why: 'a translation has stretches and no turns' },
  { names: /\/(writer-completions|compat-writer)\//, why: 'Writer says nothing at the end of a text' },
];

export function undecidedBy(name: string): string | undefined {
  return UNDECIDED.find(({ names }) => names.test(name))?.why;
}
