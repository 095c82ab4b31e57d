import type { Payload } from './payload';
import type { Lifecycle, Provider } from './provider';

/** Keeps apart responses that share one connection, where the caller has not parted them. */
export interface Lanes {
  /** A response begins with this payload. */
  begin(payload: Payload): void;
  end(): void;
  /** Whether a payload belongs to a response other than the one that is running, or that began while another one ran. */
  isElsewhere(payload: Payload, life: Lifecycle): boolean;
}

/** More than any service runs at once: lanes under ever new names must not fill the memory. */
const MAX_PASSED_OVER = 256;

export function createLanes({ laneOf }: Provider): Lanes {
  let running: { readonly lane: string | undefined } | undefined;
  const passedOver = new Set<string>(); // lanes in the middle of a response, the latest last

  function passOver(lane: string): void {
    passedOver.delete(lane);
    passedOver.add(lane);
    const [oldest] = passedOver;
    if (passedOver.size > MAX_PASSED_OVER && oldest !== undefined) passedOver.delete(oldest);
  }

  return {
    begin(payload) {
      running = { lane: laneOf?.(payload) };
    },
    end() {
      running = undefined;
    },
    isElsewhere(payload, { ending, error }) {
      const lane = laneOf?.(payload);
      if (lane === undefined) return false; // of the connection, or of whichever response runs
      const isElsewhere = running ? (running.lane ?? lane) !== lane : passedOver.has(lane);
      if (!isElsewhere) return false;
      if (ending === 'final' || error) passedOver.delete(lane);
      else passOver(lane);
      return true;
    },
  };
}
