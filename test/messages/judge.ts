/** After the whole run: it fails where any message holds what none may hold. */
import { leaksIn } from './leaks';
import { emptySink } from './sink';

export default function judge(): void {
  const leaks = leaksIn(emptySink());
  if (leaks.length > 0) throw new Error(`Messages hold what no message may hold:\n${leaks.join('\n')}`);
}
