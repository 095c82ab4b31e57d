import fc from 'fast-check';
import { ModelStreamError, type Frame } from 'rx-model-stream';
import { DONE, payloadOf } from '../../src/payload';
import { plainError } from '../support/outcome';

const restart: Frame = { type: 'restart', attempt: 1, cause: new ModelStreamError('network', 'Connection lost') };

function failureOf(frame: Frame): unknown {
  try {
    payloadOf(frame);
  } catch (error) {
    return plainError(error);
  }
  return 'none';
}

describe('payloadOf()', () => {
  it('decodes the data of an event, and keeps its name and id', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const data = JSON.stringify(value);
        expect(payloadOf({ type: 'sse', data })).toEqual({ value: JSON.parse(data) as unknown });
        expect(payloadOf({ type: 'sse', data, name: 'message', lastEventId: '7' })).toEqual({
          value: JSON.parse(data) as unknown,
          name: 'message',
          lastEventId: '7',
        });
      }),
    );
  });

  it('hands a json frame on as it is', () => {
    const frame: Frame = { type: 'json', value: { a: 1 }, name: 'message' };
    expect(payloadOf(frame)).toBe(frame);
  });

  describe('3. takes what a model wrote out of the chunk of Amazon Bedrock:', () => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const chunk = (value: unknown, name = 'chunk'): Frame => ({ type: 'json', value, name });

    it('its JSON, whatever characters there are', () => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          const text = JSON.stringify({ value, text: 'é😀' });
          const payload = payloadOf(chunk({ bytes: base64(text), p: 'abc' }));
          expect(payload).toEqual({ value: JSON.parse(text) as unknown });
        }),
      );
    });

    it.each<[string, Frame]>([
      ['of another name', chunk({ bytes: base64('{}') }, 'audio')],
      ['without a name', { type: 'json', value: { bytes: base64('{}') } }],
      ['without bytes', chunk({ p: 'abc' })],
      ['whose bytes are no text', chunk({ bytes: [1, 2] })],
      ['whose bytes are no base64', chunk({ bytes: '{}' })],
      ['whose bytes are not JSON', chunk({ bytes: base64('Hello') })],
      ['that is no object', chunk('abc')],
    ])('and hands a frame %s on as it is', (_what, frame) => {
      expect(payloadOf(frame)).toBe(frame);
    });

    it('once: the payload as a frame has the same payload', () => {
      const payload = payloadOf(chunk({ bytes: base64('{"bytes":"e30="}') }))!;
      const frame: Frame = { ...payload, type: 'json' };
      expect(payloadOf(frame)).toBe(frame);
    });
  });

  it('reads bare JSON between events', () => {
    expect(payloadOf({ type: 'stray', text: '{"a":1}' })).toEqual({ value: { a: 1 } });
  });

  it.each<[string, Frame]>([
    ['the sentinel', { type: 'sse', data: '[DONE]' }],
    ['the sentinel between spaces', { type: 'sse', data: ' [DONE] ' }],
  ])('knows %s', (_what, frame) => {
    expect(payloadOf(frame)).toEqual({ value: DONE });
  });

  it('knows the sentinel without its blank line, and says that its event was cut short', () => {
    expect(payloadOf({ type: 'sse', data: '[DONE]', incomplete: true })).toEqual({ value: DONE, incomplete: true });
  });

  it.each<[string, Frame]>([
    ['1. an event whose data is empty', { type: 'sse', data: '' }],
    ['1. an event whose data is blank', { type: 'sse', data: ' \n ' }],
    ['1. an event that was cut off before its data', { type: 'sse', data: '', incomplete: true }],
    ['1. a hint', { type: 'hint', retryMs: 1 }],
    ['1. a restart', restart],
    ['2. stray text that is not JSON', { type: 'stray', text: '{ not JSON' }],
  ])('finds none in %s', (_what, frame) => {
    expect(payloadOf(frame)).toBeUndefined();
  });

  it.each<[string, Frame]>([
    ['an event', { type: 'sse', data: '{"a":', incomplete: true }],
    ['the sentinel', { type: 'sse', data: '[DON', incomplete: true }],
    ['stray text', { type: 'stray', text: '{"a":', incomplete: true }],
  ])('fails with truncated, retryable, when the body ends inside %s', (_what, frame) => {
    expect(failureOf(frame)).toMatchObject({ name: 'ModelStreamError', code: 'truncated', retryable: true });
  });

  it('fails with malformed when a whole event is not JSON, and does not quote it', () => {
    const failure = failureOf({ type: 'sse', data: 'secret words' });
    expect(failure).toMatchObject({ name: 'ModelStreamError', code: 'malformed', retryable: false });
    expect(failure).toHaveProperty('message', 'Cannot read frame: its 12 characters are not JSON');
  });

  describe('where the data of events is text', () => {
    it.each(['', ' ', '\n', 'Hi', '7', '{"a":1}', '[DONE]', ':comment'])('3. hands %j on as it is', (data) => {
      expect(payloadOf({ type: 'sse', data }, 'text')).toEqual({ value: data });
      const named: Frame = { type: 'sse', data, name: 'output', lastEventId: '7' };
      expect(payloadOf(named, 'text')).toEqual({ value: data, name: 'output', lastEventId: '7' });
      expect(payloadOf({ ...named, incomplete: true }, 'text')).toEqual({
        ...{ value: data, name: 'output', lastEventId: '7' },
        incomplete: true,
      });
    });

    it('reads bare JSON between events, and hands on what was decoded before', () => {
      const frame: Frame = { type: 'json', value: 'Hi', name: 'output' };
      expect(payloadOf(frame, 'text')).toBe(frame);
      expect(payloadOf({ type: 'stray', text: '{"a":1}' }, 'text')).toEqual({ value: { a: 1 } });
    });
  });
});
