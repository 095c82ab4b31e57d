import { finalize, type Observable } from 'rxjs';
import { pullChunks } from 'rx-model-stream';

/** The letters of a text, each pulled by a read of its own, and a record of when it was read and when it was left. */
export function pulledLetters(text: string): { readonly letters: Observable<string>; readonly said: string[] } {
  const said: string[] = [];
  const remaining = text.split('');
  const letters = pullChunks<string>(() => {
    const value = remaining.shift();
    said.push(`read ${value ?? 'end'}`);
    return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value });
  });
  return { said, letters: letters.pipe(finalize(() => said.push('left'))) };
}
