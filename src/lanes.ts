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

export function createLanes({ laneOf }: Provider): Lanes {
  let running: { readonly lane: string | undefined } | undefined;
  const passedOver = new Set<string>(); // lanes in the middle of a response
  return {
    begin(payload) {
      running = { lane: laneOf?.(payload) };
    },
    end() {
      running = undefined;
    },
    isElsewhere(payload, { ending, error }) {
      if (!laneOf) return false;
      const lane = laneOf(payload);
      const isElsewhere = running ? lane !== running.lane : lane !== undefined && passedOver.has(lane);
      if (isElsewhere && lane !== undefined) {
        if (ending === 'final' || error) passedOver.delete(lane);
        else passedOver.add(lane);
      }
      return isElsewhere;
    },
  };
}
