/** Work that a test lets go on when it likes. */
export interface Gate {
  /** Fulfilled at once while the gate is open, else when it opens. */
  pass(): Promise<void>;
  open(): void;
  close(): void;
}

/** Closed at first. */
export function createGate(): Gate {
  let opening: () => void;
  let opened: Promise<void>;
  const gate: Gate = {
    pass: () => opened,
    open: () => {
      opening();
    },
    close: () => {
      opened = new Promise((resolve) => (opening = resolve));
    },
  };
  gate.close();
  return gate;
}
