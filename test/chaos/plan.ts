import type { FakeFault } from 'rx-model-stream/testing';
import type { FakeResponse } from 'rx-model-stream/testing/node';
import { createDice, type Dice } from '../support/dice';
import type { WireSample } from '../support/fixtures';
import { SERVICES, type Service } from './services';

/** What one request of a stream meets. */
export interface Mishap {
  readonly name: string;
  /** How its answer differs from that of a service without faults. */
  readonly answer: FakeResponse;
}

/** One stream: what is asked for, and what goes wrong on the way, request by request. */
export interface Plan {
  readonly seed: number;
  readonly service: Service;
  readonly sample: WireSample;
  readonly mishaps: readonly Mishap[];
}

const JSON_ANSWER = { 'content-type': 'application/json' };
const HINTS: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ['without a hint', {}],
  ['retry-after: 0', { 'retry-after': '0' }],
  ['retry-after-ms: 15', { 'retry-after-ms': '15' }],
  ['retry-after: soon', { 'retry-after': 'soon' }],
];

/** The plan of a seed, always the same one. */
export function planOf(seed: number): Plan {
  const dice = createDice(seed);
  const service = dice.pick(SERVICES);
  const sample = dice.pick(service.samples);
  const most = service.run ? 3 : 5; // a run is given up after three reconnects in vain
  const mishaps = Array.from({ length: dice.below(most + 1) }, () => mishapOf(service, sample, dice));
  const stall = mishaps.findIndex(isStall);
  return { seed, service, sample, mishaps: mishaps.filter((mishap, place) => place <= stall || !isStall(mishap)) };
}

/** Silence takes its time: there is at most one in a plan. */
export function isStall({ answer: { fault } }: Mishap): boolean {
  return fault?.type === 'stall';
}

function mishapOf(service: Service, sample: WireSample, dice: Dice): Mishap {
  const body = sample.bytes();
  const afterBytes = dice.below(body.length);
  const event = service.failureEvent;
  return dice.pick<() => Mishap>([
    () => faulty({ type: 'reset' }),
    () => faulty({ type: 'reset', afterBytes }),
    () => faulty({ type: 'reset', afterBytes: afterBytes % 400 }),
    () => faulty({ type: 'truncate', afterBytes }),
    () => faulty({ type: 'truncate', afterBytes: afterBytes % 400 }),
    () => (dice.chance(0.3) ? faulty({ type: 'stall' }) : faulty({ type: 'reset' })),
    () => (dice.chance(0.3) ? faulty({ type: 'stall', afterBytes }) : faulty({ type: 'truncate', afterBytes })),
    () => refused(dice),
    () => refused(dice),
    () => (dice.chance(0.3) ? denied(dice) : refused(dice)),
    () => (dice.chance(0.3) ? ofAProxy() : refused(dice)),
    () => (service.isNumbered ? sentAgain(body, afterBytes) : faulty({ type: 'reset', afterBytes })),
    () => (event === undefined ? refused(dice) : faulty({ type: 'error-event', afterBytes: 0, event })),
  ])();
}

function faulty(fault: FakeFault): Mishap {
  const { type, afterBytes } = fault;
  return { name: afterBytes === undefined ? type : `${type} after ${afterBytes} bytes`, answer: { fault } };
}

/** Everything from the start, also where the client has had most of it; and again not all. */
function sentAgain(body: Uint8Array, afterBytes: number): Mishap {
  const fault = { type: 'reset', afterBytes } as const;
  return { name: `all sent again, reset after ${afterBytes} bytes`, answer: { body, fault } };
}

function refused(dice: Dice): Mishap {
  const status = dice.pick([429, 503, 529]);
  const [hint, headers] = dice.pick(HINTS);
  return {
    name: `${status} ${hint}`,
    answer: { status, headers: { ...JSON_ANSWER, ...headers }, body: '{"error":{"message":"Not now"}}' },
  };
}

/** What no waiting helps with, or none that is worth it. */
function denied(dice: Dice): Mishap {
  const body = '{"error":{"message":"No"}}';
  return dice.pick([
    { name: '401', answer: { status: 401, headers: JSON_ANSWER, body } },
    {
      name: '429 retry-after: 3600',
      answer: { status: 429, headers: { ...JSON_ANSWER, 'retry-after': '3600' }, body },
    },
  ]);
}

function ofAProxy(): Mishap {
  return { name: 'HTML', answer: { headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' } };
}
