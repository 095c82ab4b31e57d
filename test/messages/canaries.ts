/** What tests send and no message may repeat. */
export const KEY = 'key-that-is-secret';
export const PROMPT = 'a prompt that is nobody’s business';
export const QUERY = 'key-in-the-query';
export const PAYLOAD = 'words that the model wrote';

export const CANARIES: readonly string[] = [KEY, PROMPT, QUERY, PAYLOAD];
