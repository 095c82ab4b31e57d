/**
 * The words that a provider can write in one place of its wire, such as the types of its events, and what becomes of each.
 */
export interface WordList {
  /** Words that say something in our vocabulary. Each is in a fixture. */
  readonly mapped: readonly string[];
  /** Words that come out as `raw`; of a finish reason: as `other`. */
  readonly raw: readonly { readonly words: readonly string[]; readonly why: string }[];
  /** Those of the words above that the SDK does not know. */
  readonly elsewhere: readonly { readonly words: readonly string[]; readonly source: string }[];
}

type Ours<List extends WordList> = List['mapped'][number] | List['raw'][number]['words'][number];
type Elsewhere<List extends WordList> = List['elsewhere'][number]['words'][number];

/** What differs between the words of an SDK and ours, as texts to read in the compiler's message. */
export type Difference<SdkWords extends PropertyKey, List extends WordList> =
  | `neither mapped nor raw: ${Text<Exclude<SdkWords, Ours<List>>>}`
  | `unknown to the SDK and not from elsewhere: ${Text<Exclude<Ours<List>, SdkWords | Elsewhere<List>>>}`
  | `from elsewhere, but known to the SDK: ${Text<Extract<Elsewhere<List>, SdkWords>>}`
  | `from elsewhere, but neither mapped nor raw: ${Text<Exclude<Elsewhere<List>, Ours<List>>>}`;

type Text<Words> = Extract<Words, string>;

export function rawWordsOf(list: WordList): { readonly word: string; readonly why: string }[] {
  return list.raw.flatMap(({ words, why }) => words.map((word) => ({ word, why })));
}
