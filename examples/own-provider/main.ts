import { finalize } from 'rxjs';
import { startFakeProvider } from 'rx-model-stream/testing/node';
import { conversation } from './conversation';
import { STREAMS } from './streams';

const service = await startFakeProvider({
  '/v1/replies': (_request, nth) => ({ body: nth === 1 ? STREAMS.calls : STREAMS.text, chunkBytes: 24 }),
});
conversation(`${service.url}/v1/replies`)
  .pipe(finalize(() => void service.close()))
  .subscribe({
    next: (line) => {
      console.log(line);
    },
    error: (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  });
