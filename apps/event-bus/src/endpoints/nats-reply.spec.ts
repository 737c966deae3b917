import { readNatsReply } from './nats-reply';

const read = (headers: Record<string, string>): ReturnType<typeof readNatsReply> =>
  readNatsReply(new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])));

describe('the reply of a service', () => {
  it('acknowledges unless it has a header of failure', () => {
    expect(read({})).toEqual({ kind: 'acknowledged' });
    expect(read({ 'X-Trace': '1', 'Retry-After': '5', 'Switchyard-Progress': 'no' })).toEqual({ kind: 'acknowledged' });
    expect(read({ 'Switchyard-Progress': 'true' })).toEqual({ kind: 'progress' });
  });

  it('is a failure, with the status and the wait that it names', () => {
    expect(read({ 'Switchyard-Error': 'no space left', 'Retry-After': '7' })).toEqual({
      kind: 'failed',
      status: null,
      text: 'no space left',
      retryAfterMs: 7_000,
    });
    expect(read({ 'Nats-Service-Error-Code': '422', 'Nats-Service-Error': 'INVALID' })).toEqual({
      kind: 'failed',
      status: 422,
      text: 'INVALID',
      retryAfterMs: null,
    });
    expect(read({ 'Nats-Service-Error-Code': 'many' })).toMatchObject({ kind: 'failed', status: null, text: '' });
  });

  it('discards the event for good', () => {
    expect(read({ 'Switchyard-Discard': 'not ours', 'Nats-Service-Error-Code': '404' })).toEqual({
      kind: 'discarded',
      status: 404,
      text: 'not ours',
    });
  });

  it('has at most 200 printable characters, without seeds and keys', () => {
    const seed = `SU${'A'.repeat(56)}`;
    const reply = read({ 'Switchyard-Error': `bad\u0007 \n${seed} and ${'k'.repeat(40)} ${'x '.repeat(300)}` });
    const { text } = reply as { text: string };
    expect(text.startsWith('bad [seed] and [key] x')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(200);
    expect(text).toMatch(/^[\x20-\x7e]*$/);
  });
});
