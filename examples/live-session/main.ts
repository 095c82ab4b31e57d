import { finalize } from 'rxjs';
import { conversation } from './conversation';
import { startService } from './service';

const service = await startService();
conversation(service.url)
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
