import { createParser } from 'eventsource-parser';
import { APIS } from '../streams/wireStream';
import type { Reader } from './reader';

export const eventsourceParser: Reader = {
  step: 'frames',
  name: 'eventsource-parser',
  apis: APIS,
  read({ chunks }) {
    let frames = 0;
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent() {
        frames += 1;
      },
    });
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
    return { frames };
  },
};
