import { APIS } from '../streams/wireStream';
import type { Reader } from './reader';

/** The least that any reader has to do: one decode of the bytes, one split at line ends, `JSON.parse` of each payload. */
export const floor: Reader = {
  step: 'floor',
  name: 'decode, split, JSON.parse',
  apis: APIS,
  read({ bytes }) {
    let frames = 0;
    for (const line of new TextDecoder().decode(bytes).split('\n')) {
      if (!line.startsWith('data:')) continue;
      frames += 1;
      if (!line.startsWith('data: [DONE]')) JSON.parse(line.slice(5));
    }
    return { frames };
  },
};
