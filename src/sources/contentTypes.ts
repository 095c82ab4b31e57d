import type { Provider } from '../provider';

const EVENT_STREAM: readonly string[] = ['text/event-stream'];

/** The content types in which a provider answers; a provider that names none answers with an event stream. */
export function contentTypesOf(provider: Pick<Provider, 'contentTypes'> | undefined): readonly string[] {
  return provider?.contentTypes ?? EVENT_STREAM;
}

/** The content type of a response in small letters and without its parameters; empty where it has none. */
export function contentTypeOf(response: Response): string {
  const value = response.headers.get('content-type') ?? '';
  return value.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
