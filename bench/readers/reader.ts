import type { Api, Found, WireStream } from '../streams/wireStream';

/** How far a stream is read: to the events of the event stream, to what each says, to the answer they add up to. */
export const STEPS = ['floor', 'frames', 'events', 'answer'] as const;

/** Something that reads streams, and that is measured. */
export interface Reader {
  readonly step: (typeof STEPS)[number];
  readonly name: string;
  /** The APIs it reads. */
  readonly apis: readonly Api[];
  read(stream: WireStream): Found | Promise<Found>;
}
