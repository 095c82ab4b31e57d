/** Something the service may say tomorrow and that no mapper knows: payloads that follow each other. */
export interface UnknownPayloads {
  /** What it is, as it stands in the name of the law: `an unknown event`. */
  readonly title: string;
  readonly payloads: readonly unknown[];
  /** The name of the frame of each payload, where that says what it is. */
  readonly names?: readonly string[];
  /** What of it has its place in the turn that is sent back. */
  readonly inTurn?: unknown;
}

/** What no service says. */
export const NEVER_HEARD: readonly UnknownPayloads[] = [
  { title: 'an object of which no field is known', payloads: [{ 'never-heard': { rays: 3 } }] },
  { title: 'a number, null or a list', payloads: [7, null, [{ 'never-heard': true }]] },
];
