import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelStreamErrorCode } from 'rx-model-stream';

/** A message that some test made the library write. */
export interface WrittenMessage {
  readonly code: ModelStreamErrorCode;
  readonly message: string;
}

/** Tells the processes of one run where its messages are gathered. */
const FOLDER = 'RX_MODEL_STREAM_MESSAGES';

export function openSink(): void {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'rx-model-stream-messages-'));
}

/** Keeps messages, each process in a file of its own. */
export function keep(messages: Iterable<WrittenMessage>): void {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  const lines = [...messages].map((message) => `${JSON.stringify(message)}\n`);
  appendFileSync(join(folder, `${process.pid}.jsonl`), lines.join(''));
}

/** Everything that was kept, each message once, and nothing after. */
export function emptySink(): WrittenMessage[] {
  const folder = process.env[FOLDER];
  if (folder === undefined) return [];
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  rmSync(folder, { recursive: true });
  const lines = new Set(files.flatMap((file) => file.split('\n')).filter((line) => line !== ''));
  return [...lines].map((line) => JSON.parse(line) as WrittenMessage);
}
