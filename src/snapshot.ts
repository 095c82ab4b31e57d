import { PersistentList } from './persistentList';
import type { Block } from './blocks';
import type { ModelStreamError } from './errors';
import type { FinishReason } from './events';
import type { TokenUsage } from './usage';

/**
 * Where a response stands.
 *
 * - `idle`: nothing has come yet.
 * - `streaming`: more is to come.
 * - `complete`: the response is whole.
 * - `failed`: it ended with an error.
 * - `stopped`: the consumer ended it.
 */
export type SnapshotStatus = 'idle' | 'streaming' | 'complete' | 'failed' | 'stopped';

/** All that is known of a response beside its blocks. */
interface SnapshotFields<Turn> {
  readonly status: SnapshotStatus;
  /** Which response of its session this is, from 0. */
  readonly ordinal: number;
  readonly provider?: string | undefined;
  readonly responseId?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly finishReason?: FinishReason | undefined;
  readonly rawFinishReason?: string | undefined;
  /** The assistant turn in the provider's own shape, ready to be sent back. */
  readonly turn?: Turn | undefined;
  /** With it the provider goes on where a `pause` stopped (Gemini). */
  readonly continuationToken?: string | undefined;
  /** Why the response failed. */
  readonly error?: ModelStreamError | undefined;
}

/**
 * A response as it stands, ready to be drawn.
 *
 * 1. A snapshot never changes, whatever comes after it.
 * 2. A block that did not change is the same object in the next snapshot.
 * 3. A snapshot costs nearly the same with 10 and with 100,000 blocks, as long as `blocks` is not read; it is then made
 *    and kept.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape.
 */
export interface Snapshot<Turn = unknown> extends SnapshotFields<Turn> {
  /** The blocks in order: a block's place is its index. */
  readonly blocks: readonly Block[];
}

/** A snapshot whose list of blocks can be carried on without reading it. */
class ListedSnapshot<Turn> implements Snapshot<Turn> {
  declare readonly blocks: readonly Block[];
  readonly status: SnapshotStatus;
  readonly ordinal: number;
  readonly provider: string | undefined;
  readonly responseId: string | undefined;
  readonly model: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly finishReason: FinishReason | undefined;
  readonly rawFinishReason: string | undefined;
  readonly turn: Turn | undefined;
  readonly continuationToken: string | undefined;
  readonly error: ModelStreamError | undefined;
  readonly #list: PersistentList<Block>;

  constructor(list: PersistentList<Block>, fields: SnapshotFields<Turn>) {
    if (list.array) this.blocks = list.array;
    else Object.defineProperty(this, 'blocks', BLOCKS_WHEN_READ);
    this.status = fields.status;
    this.ordinal = fields.ordinal;
    this.provider = fields.provider;
    this.responseId = fields.responseId;
    this.model = fields.model;
    this.usage = fields.usage;
    this.finishReason = fields.finishReason;
    this.rawFinishReason = fields.rawFinishReason;
    this.turn = fields.turn;
    this.continuationToken = fields.continuationToken;
    this.error = fields.error;
    this.#list = list;
  }

  static listOf(snapshot: Snapshot): PersistentList<Block> {
    return #list in snapshot ? snapshot.#list : PersistentList.from(snapshot.blocks);
  }
}

/** An own property, so that a snapshot can be spread, cloned and written as JSON like any other object. */
const BLOCKS_WHEN_READ: PropertyDescriptor = {
  enumerable: true,
  get(this: Snapshot) {
    return ListedSnapshot.listOf(this).toArray();
  },
};

/** A snapshot of these blocks. */
export function snapshotOf<Turn>(list: PersistentList<Block>, fields: SnapshotFields<Turn>): Snapshot<Turn> {
  return new ListedSnapshot(list, fields);
}

/** The blocks of a snapshot, as the list from which the next one is made. */
export function listOf(snapshot: Snapshot): PersistentList<Block> {
  return ListedSnapshot.listOf(snapshot);
}

/** The snapshot before anything has come. */
export const emptySnapshot: Snapshot<never> = /* @__PURE__ */ snapshotOf<never>(PersistentList.empty, {
  status: 'idle',
  ordinal: 0,
});
