import { objectOf } from '../../src/wire';

/** Whether a payload holds nothing, or nothing but the filler with which Amazon Bedrock hides how long its payloads are. */
export function isPadding(value: unknown): boolean {
  const wire = objectOf(value);
  return wire !== undefined && Object.keys(wire).every((field) => field === 'p');
}
