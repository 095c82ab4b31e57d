/** Before the whole run. */
import { openSink } from './sink';

export default openSink;
