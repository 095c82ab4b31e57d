import type { Provider } from 'rx-model-stream';
import { randomCuts } from '../support/chunkings';
import { damagedBytes } from './damagedBytes';
import { damagedRecords, thinned } from './damagedRecords';
import { createDice, seedOf, type Dice } from '../support/dice';
import { FRAMING_NAMES, FRAMINGS, type FramingName } from './framings';
import { PROVIDERS } from '../support/providers';
import { PROVIDER_NAMES, type Sample } from './samples';

/** A damaged stream and who is to read it. */
export interface FuzzCase {
  readonly provider: Provider;
  readonly framing: FramingName;
  /** The body in chunks, or the messages of a socket. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly maxFrameBytes: number;
}

const SMALL_BOUND = 64 * 1024;
const USUAL_BOUND = 32 * 1024 * 1024;
/** Longer streams are thinned before they are damaged. */
const LONG_BODY = 32 * 1024;

/** The same sample and seed give the same case. */
export function fuzzCase(sample: Sample, seed: number): FuzzCase {
  const dice = createDice(seedOf(sample.name) + seed);
  const provider = PROVIDERS[dice.chance(0.15) ? dice.pick(PROVIDER_NAMES) : sample.provider]!();
  const framing = dice.chance(0.25) ? dice.pick(FRAMING_NAMES) : sample.framing;
  return {
    provider,
    framing,
    pieces: damagedPieces(sample, framing, dice),
    maxFrameBytes: dice.chance(0.5) ? SMALL_BOUND : USUAL_BOUND,
  };
}

function damagedPieces(sample: Sample, framing: FramingName, dice: Dice): Uint8Array<ArrayBuffer>[] {
  const isLong = sample.body().length > LONG_BODY;
  const isWhole = dice.chance(0.4) && framing === sample.framing && framing !== 'websocket' && !isLong;
  const pieces = isWhole ? [sample.body().slice()] : FRAMINGS[framing].encode(damaged(sample, isLong, dice));
  if (isWhole || dice.chance(0.2)) damageOne(pieces, dice);
  const [body] = pieces;
  return framing === 'websocket' || body === undefined ? pieces : chunked(body, dice);
}

function damaged(sample: Sample, isLong: boolean, dice: Dice): ReturnType<typeof damagedRecords> {
  let records = isLong ? thinned(sample.records(), dice) : sample.records();
  for (let count = 1 + dice.below(3); count > 0; count -= 1) records = damagedRecords(records, dice);
  return records;
}

function damageOne(pieces: Uint8Array<ArrayBuffer>[], dice: Dice): void {
  for (let count = 1 + dice.below(3); count > 0 && pieces.length > 0; count -= 1) {
    const place = dice.below(pieces.length);
    pieces[place] = damagedBytes(pieces[place]!, dice);
  }
}

function chunked(body: Uint8Array<ArrayBuffer>, dice: Dice): Uint8Array<ArrayBuffer>[] {
  if (dice.chance(0.5)) return [body];
  return randomCuts(body, dice.below(1 << 30), dice.pick([0.3, 0.05, 0.005])) as Uint8Array<ArrayBuffer>[];
}
