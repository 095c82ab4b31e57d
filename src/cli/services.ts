import { anthropic, gemini, openaiResponses, xai, type ModelRequest, type Provider } from '../index';

/** What is asked, and of whom. */
export interface Question {
  readonly service: Service;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
}

/** A service that can be asked, and what the demonstration answers in its place. */
export interface Service {
  /** What `--provider` calls it. */
  readonly name: string;
  readonly label: string;
  readonly createProvider: () => Provider;
  readonly baseUrl: string;
  /** The environment variable that replaces `baseUrl`. */
  readonly baseUrlVariable: string;
  /** The environment variable that holds the key. */
  readonly keyVariable: string;
  readonly requestFor: (question: Question) => ModelRequest;
  /** Files below `fixtures`. Those of one name are shown side by side. */
  readonly fixtures: readonly string[];
}

/** Anthropic wants a bound on every answer. */
const MAX_ANSWER_TOKENS = 4096;

/** One API in two framings. */
const geminiApi = {
  createProvider: gemini,
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  baseUrlVariable: 'GEMINI_BASE_URL',
  keyVariable: 'GEMINI_API_KEY',
} as const;

function geminiRequest({ baseUrl, key, model, prompt }: Question, query: string): ModelRequest {
  return {
    url: `${baseUrl}/models/${model}:streamGenerateContent${query}`,
    headers: { 'x-goog-api-key': key },
    body: { contents: [{ role: 'user', parts: [{ text: prompt }] }] },
  };
}

export const services: readonly Service[] = [
  {
    name: 'openai-responses',
    label: 'OpenAI Responses',
    createProvider: openaiResponses,
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    requestFor: ({ baseUrl, key, model, prompt }) => ({
      url: `${baseUrl}/responses`,
      headers: { authorization: `Bearer ${key}` },
      body: { model, input: prompt, stream: true },
    }),
    fixtures: ['openai-responses/answer-with-search.sse', 'openai-responses/tool-call.sse'],
  },
  {
    name: 'anthropic',
    label: 'Anthropic Messages',
    createProvider: anthropic,
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    requestFor: ({ baseUrl, key, model, prompt }) => ({
      url: `${baseUrl}/v1/messages`,
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      body: { model, max_tokens: MAX_ANSWER_TOKENS, messages: [{ role: 'user', content: prompt }], stream: true },
    }),
    fixtures: ['anthropic/answer-with-search.sse', 'anthropic/tool-call.sse'],
  },
  {
    name: 'xai',
    label: 'xAI Chat',
    createProvider: xai,
    baseUrl: 'https://api.x.ai/v1',
    baseUrlVariable: 'XAI_BASE_URL',
    keyVariable: 'XAI_API_KEY',
    requestFor: ({ baseUrl, key, model, prompt }) => ({
      url: `${baseUrl}/chat/completions`,
      headers: { authorization: `Bearer ${key}` },
      body: {
        model,
        messages: [{ role: 'user', content: prompt }],
        stream: true,
        stream_options: { include_usage: true },
      },
    }),
    fixtures: ['xai/answer-with-search.sse', 'xai/tool-call.sse'],
  },
  {
    ...geminiApi,
    name: 'gemini',
    label: 'Gemini, events',
    requestFor: (question) => geminiRequest(question, '?alt=sse'),
    fixtures: ['gemini/answer-with-search.sse', 'gemini/tool-call.sse'],
  },
  {
    ...geminiApi,
    name: 'gemini-array',
    label: 'Gemini, JSON array',
    requestFor: (question) => geminiRequest(question, ''),
    fixtures: ['gemini/answer-with-search.json', 'gemini/tool-call.json'],
  },
];
