/** Follows the arguments of a call, piece by piece. */
export interface ArgumentsText {
  /** Whether they are an object or a list that has been closed. Costs nothing, however long they have become. */
  readonly isClosed: boolean;
  read(piece: string): void;
}

/** Counts brackets outside strings; whether the text is JSON is not its business. */
export function createArgumentsText(): ArgumentsText {
  let depth = 0;
  let hasBegun = false;
  let isInString = false;
  let isEscaped = false; // the piece before ended with a backslash

  function readMark(mark: string): void {
    if (mark === '"') isInString = !isInString;
    else if (!isInString && (mark === '{' || mark === '[')) {
      depth += 1;
      hasBegun = true;
    } else if (!isInString && (mark === '}' || mark === ']')) depth -= 1;
  }

  return {
    get isClosed() {
      return hasBegun && depth === 0 && !isInString;
    },
    read(piece) {
      if (piece === '') return;
      const text = isEscaped ? piece.slice(1) : piece;
      isEscaped = false;
      for (const [mark] of text.matchAll(/\\[^]?|["{}[\]]/g)) {
        if (mark === '\\') isEscaped = true;
        else if (mark.length === 1) readMark(mark);
      }
    },
  };
}
