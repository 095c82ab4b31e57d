/** Takes one output of a stage. */
export type Emit<Out> = (output: Out) => void;

/**
 * One step of the pipeline, free of Rx: takes inputs one at a time and hands on the outputs each of them completed.
 * An instance is a closure that holds the state of one subscription and is never shared.
 *
 * Outputs are handed to `emit` as they are completed, not returned in a batch, so that what was complete before a
 * failure is delivered before the failure, however the input was cut into chunks.
 *
 * {@link fromStage} makes an operator of it and says when each method is called.
 *
 * @typeParam In - What goes in, one at a time.
 * @typeParam Out - What comes out, none or several for each input.
 */
export interface Stage<In, Out> {
  /** Takes the next input and hands each output it completed to `emit`, in order. Throws when the input is wrong. */
  push(input: In, emit: Emit<Out>): void;
  /** Takes the end of input: emits the rest, or throws when the input was cut short. */
  end(emit: Emit<Out>): void;
  /**
   * Takes the failure of the source: emits what is still owed, then throws the failure to report. Returning completes
   * the stream. Without this method the failure passes unchanged.
   */
  fail?(error: unknown, emit: Emit<Out>): void;
  /** True once the stage has said all it will say: the operator then completes and leaves the source. */
  readonly done?: boolean;
}
