import type { Provider } from 'rx-model-stream';
import {
  anthropic,
  bedrockConverse,
  cohere,
  gemini,
  geminiInteractions,
  geminiLive,
  lyria,
  ollama,
  openaiChat,
  openaiRealtime,
  openaiResponses,
  replicate,
  watsonxText,
  writerCompletions,
  xai,
} from 'rx-model-stream/providers';

/** Every provider, by the name of its folder in `fixtures`, and by the one that the collection of recordings gives it. */
export const PROVIDERS: Readonly<Record<string, () => Provider>> = {
  anthropic,
  bedrock: bedrockConverse,
  cohere,
  gemini,
  'gemini-interactions': geminiInteractions,
  'gemini-live': geminiLive,
  lyria,
  ollama,
  'openai-chat': openaiChat,
  'openai-realtime': openaiRealtime,
  'openai-responses': openaiResponses,
  'openai-responses-session': () => openaiResponses({ session: true }),
  replicate,
  'watsonx-text': watsonxText,
  'writer-completions': writerCompletions,
  xai,
  'xai-session': () => xai({ session: true }),
};
