import { AppError } from '@switchyard/kernel';
import type { StreamReader } from '@switchyard/messaging';
import { reattach } from './reattach-stream';

const reader = {} as StreamReader<string>;
const expected = (): boolean => true;

describe('attaching again', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is held up by no replica that never answers', async () => {
    const remaining: boolean[] = [];
    let tries = 0;
    const found = reattach((signal) => {
      tries += 1;
      if (tries === 4) return Promise.resolve(reader);
      const mine = remaining.push(false) - 1;
      signal.addEventListener('abort', () => (remaining[mine] = true));
      return new Promise(() => undefined);
    }, expected);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(await found).toBe(reader);
    expect(remaining).toEqual([true, true, true]);
  });

  it('goes on after failures, and ends with a refusal', async () => {
    const answers = ['SERVICE_UNAVAILABLE', 'TIMEOUT', 'STREAM_EXPIRED'] as const;
    let tries = 0;
    const found = reattach(() => Promise.reject(new AppError(answers[tries++] ?? 'CONFLICT', '')), expected);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await found).toBeNull();
    expect(tries).toBe(3);
  });

  it('asks a frozen platform a few times, and not for ever', async () => {
    let tries = 0;
    const found = reattach(() => {
      tries += 1;
      return new Promise(() => undefined);
    }, expected);
    await jest.advanceTimersByTimeAsync(62_000);
    expect(await found).toBeNull();
    expect(tries).toBe(8);
  });

  it('stops when its last reader has left', async () => {
    let isNeeded = true;
    const found = reattach(
      () => new Promise(() => undefined),
      () => isNeeded,
    );
    await jest.advanceTimersByTimeAsync(1_000);
    isNeeded = false;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await found).toBeNull();
  });
});
