import { ModelStreamError } from '../errors';
import type { HintFrame, SseFrame, StrayFrame } from '../frame';
import type { Emit, Stage } from '../stage';
import { createLineBlocks } from './lineBlocks';
import { DEFAULT_MAX_FRAME_BYTES } from './maxFrameBytes';

/** How an event stream is read. */
export interface SseOptions {
  /**
   * Bound on one line, in bytes, and on the data of one event, in UTF-16 units. Default 32 MiB, since pictures travel
   * inline. Exceeding it fails with `too-large`.
   */
  readonly maxFrameBytes?: number;
  /**
   * Whether an event that the end of the body cut off before its blank line is emitted, marked `incomplete`. Default
   * `true`: services leave the last blank line out. `false` drops it, as the HTML standard says.
   */
  readonly flush?: boolean;
  /** The last event id to begin with, for the body of a resumed connection. */
  readonly lastEventId?: string;
}

/** What an event stream consists of. */
export type SseOutput = SseFrame | StrayFrame | HintFrame;

const COLON = 58;
const LEFT_BRACKET = 91;
const LEFT_BRACE = 123;

/**
 * The machine behind `parseSSE`: bytes to the events of an event stream, by section 9.2.6 of the HTML standard.
 *
 * @throws {RangeError} When `maxFrameBytes` is not a positive number.
 */
export function createSse({
  maxFrameBytes = DEFAULT_MAX_FRAME_BYTES,
  flush = true,
  lastEventId: initialLastEventId = '',
}: SseOptions = {}): Stage<Uint8Array, SseOutput> {
  const blocks = createLineBlocks(maxFrameBytes);
  let data: string | undefined; // undefined until a data line was seen: an empty line is an event, no line is none
  let name = '';
  let idSeen = false; // in this event, so that an id without data is committed as a hint
  let lastEventIdBuffer = initialLastEventId; // committed by the next blank line
  let stray: string | undefined;

  function readLines(lines: string, emit: Emit<SseOutput>): void {
    let start = 0;
    for (let end = lines.indexOf('\n'); end !== -1; end = lines.indexOf('\n', start)) {
      if (start === end) dispatch(emit, false);
      else readLine(lines, start, end, emit);
      start = end + 1;
    }
  }

  function readLine(lines: string, start: number, end: number, emit: Emit<SseOutput>): void {
    if (lines.startsWith('data:', start)) {
      addData(lines.slice(afterSpace(lines, start + 5), end));
      return;
    }
    const first = lines.charCodeAt(start);
    if (first === COLON) return;
    const line = lines.slice(start, end);
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(afterSpace(line, colon + 1));
    switch (field) {
      case 'data':
        addData(value);
        return;
      case 'event':
        name = value;
        return;
      case 'id':
        if (value.includes('\0')) return;
        lastEventIdBuffer = value;
        idSeen = true;
        return;
      case 'retry':
        if (/^[0-9]+$/.test(value)) emit({ type: 'hint', retryMs: Number(value) });
        return;
      case 'error':
        addStray(value); // llama.cpp reports a failure in the middle of a stream like this
        return;
      default:
        if (stray !== undefined || first === LEFT_BRACE || first === LEFT_BRACKET) addStray(line);
    }
  }

  function addData(value: string): void {
    data = data === undefined ? value : `${data}\n${value}`;
    bound(data);
  }

  function addStray(line: string): void {
    stray = stray === undefined ? line : `${stray}\n${line}`;
    bound(stray);
  }

  function bound(text: string): void {
    if (text.length > maxFrameBytes) {
      throw new ModelStreamError('too-large', `Cannot buffer event: its data exceeds ${maxFrameBytes} UTF-16 units`);
    }
  }

  function dispatch(emit: Emit<SseOutput>, incomplete: boolean): void {
    if (stray !== undefined) {
      const text = stray;
      stray = undefined;
      emit(incomplete ? { type: 'stray', text, incomplete } : { type: 'stray', text });
    }
    if (data !== undefined) {
      const frame: { -readonly [Key in keyof SseFrame]: SseFrame[Key] } = { type: 'sse', data };
      if (name !== '') frame.name = name;
      if (lastEventIdBuffer !== '') frame.lastEventId = lastEventIdBuffer;
      if (incomplete) frame.incomplete = true;
      data = undefined;
      name = '';
      idSeen = false;
      emit(frame);
      return;
    }
    name = '';
    if (idSeen) {
      idSeen = false;
      emit({ type: 'hint', lastEventId: lastEventIdBuffer });
    }
  }

  return {
    push(chunk, emit) {
      blocks.push(chunk, (lines) => {
        readLines(lines, emit);
      });
    },
    end(emit) {
      if (!flush) return;
      const emitCut: Emit<SseOutput> = (frame) => {
        emit(frame.type === 'hint' ? { ...frame, incomplete: true } : frame);
      };
      blocks.end((lines) => {
        readLines(lines, emitCut);
      });
      dispatch(emitCut, true);
    },
  };
}

/** Skips the one space that may follow the colon of a field. */
function afterSpace(text: string, index: number): number {
  return text.charCodeAt(index) === 32 ? index + 1 : index;
}
