import { ModelStreamError, type Payload, type Provider } from 'rx-model-stream';
import {
  anthropic,
  anthropicOnBedrock,
  bedrockConverse,
  gemini,
  geminiInteractions,
  ollama,
  openaiChat,
  openaiResponses,
  xai,
} from 'rx-model-stream/providers';
import { providerFailure } from '../../src/providerFailure';

describe('providerFailure()', () => {
  const provider = 'p';

  it('reads the wait in its message, where asking again may help', () => {
    expect(providerFailure('Please try again in 1.2s', { provider, retryable: true }).toJSON()).toEqual(
      new ModelStreamError('provider', 'Please try again in 1.2s', {
        provider,
        retryable: true,
        retryAfterMs: 1200,
      }).toJSON(),
    );
  });

  it('does not read it where asking again does not help', () => {
    expect(providerFailure('Please try again in 1.2s', { provider }).retryAfterMs).toBeUndefined();
  });

  it('prefers what is said beside the message', () => {
    const details = { provider, retryable: true, retryAfterMs: 0 };
    expect(providerFailure('Please try again in 1.2s', details).retryAfterMs).toBe(0);
  });

  it('has a message where the service says none', () => {
    expect(providerFailure(undefined, {}).message).toBe('The service reported a failure without a message');
  });
});

const THROTTLED = {
  name: 'throttlingException',
  value: { message: 'Too many tokens, please retry after 2 seconds' },
};

/** A failure as Google reports it, in its stream and before it. */
function exhausted(error: object): Payload {
  return {
    value: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Please retry in 34.07s.', ...error } },
  };
}

function limited(message: string): { readonly code: string; readonly message: string } {
  return { code: 'rate_limit_exceeded', message };
}

const RETRY_INFO = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };

describe('a failure inside a stream states its wait', () => {
  it.each<[string, Provider, Payload, number]>([
    [
      'of a response',
      openaiResponses(),
      { value: { type: 'response.failed', response: { error: limited('Please try again in 1.3s.') } } },
      1300,
    ],
    ['of Responses', openaiResponses(), { value: { type: 'error', ...limited('Please try again in 350ms.') } }, 350],
    ['of a chat', openaiChat(), { value: { error: limited('Please try again in 1m2.5s.') } }, 62_500],
    ['of xAI', xai(), { value: { error: limited('Please retry after 6 seconds.') } }, 6000],
    [
      'of Anthropic',
      anthropic(),
      { value: { type: 'error', error: { type: 'rate_limit_error', message: 'Try again in 20 seconds' } } },
      20_000,
    ],
    ['of Gemini, in its message', gemini(), exhausted({}), 34_070],
    ['of Gemini, more exact in its details', gemini(), exhausted({ details: [RETRY_INFO] }), 34_500],
    [
      'of Interactions',
      geminiInteractions(),
      { value: { event_type: 'error', error: limited('Please retry in 559.1ms.') } },
      559,
    ],
    ['of Bedrock', bedrockConverse(), THROTTLED, 2000],
    ['of Anthropic on Bedrock', anthropicOnBedrock(), THROTTLED, 2000],
    ['of Ollama', ollama(), { value: { error: 'server busy, please try again in 5s' } }, 5000],
  ])('%s', (_whose, provider, payload, retryAfterMs) => {
    const { error } = provider.lifecycleOf(payload);
    expect(error).toMatchObject({ code: 'provider', retryable: true, retryAfterMs });
  });
});
