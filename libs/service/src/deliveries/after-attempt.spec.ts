import { afterAttempt } from './after-attempt';

const failed = (status: number | null, code: string, retryAfterMs: number | null = null) => ({
  status,
  error: { code, message: '' },
  retryAfterMs,
});
const history = { failedBefore: 0 };

describe('after an attempt', () => {
  it('that was answered with 2xx there is no other', () => {
    expect(afterAttempt({ status: 204, error: null, retryAfterMs: 1_000 }, history)).toEqual({ kind: 'delivered' });
  });

  it('that failed there is another one, when the receiver says so', () => {
    expect(afterAttempt(failed(503, 'HTTP_STATUS', 7_000), history)).toEqual({ kind: 'again', inMs: 7_000 });
    expect(afterAttempt(failed(302, 'REDIRECT'), history)).toMatchObject({ kind: 'again' });
    expect(afterAttempt(failed(null, 'TIMEOUT'), history)).toMatchObject({ kind: 'again' });
  });

  it('that was the last one, or was answered with 410, or has a final error, it has ended', () => {
    const last = { ...history, failedBefore: 8 };
    expect(afterAttempt(failed(500, 'HTTP_STATUS', 1_000), last)).toEqual({ kind: 'ended', isRefused: false });
    expect(afterAttempt(failed(410, 'HTTP_STATUS', 1_000), history)).toEqual({ kind: 'ended', isRefused: true });
    const error = failed(null, 'ADDRESS_NOT_ALLOWED');
    expect(afterAttempt(error, history)).toMatchObject({ kind: 'again' });
    expect(afterAttempt(error, { ...history, finalErrors: ['ADDRESS_NOT_ALLOWED'] })).toEqual({
      kind: 'ended',
      isRefused: false,
    });
  });
});
