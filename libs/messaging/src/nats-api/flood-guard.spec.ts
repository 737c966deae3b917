import { FloodGuard } from './flood-guard';

describe('the guard against floods', () => {
  let now = 0;
  const noted = (guard: FloodGuard, messages: number, bytes = 0): boolean[] =>
    Array.from({ length: messages }, () => guard.note(bytes)).filter(Boolean);

  it('takes 5,000 messages in vain within ten seconds, and one more is too many', () => {
    const guard = new FloodGuard(() => now);
    expect(noted(guard, 5000)).toEqual([]);
    expect(guard.note(0)).toBe(true);
    expect(guard.note(0)).toBe(false);
  });

  it('begins anew after ten seconds', () => {
    const guard = new FloodGuard(() => now);
    expect(noted(guard, 5000)).toEqual([]);
    now += 10_000;
    expect(noted(guard, 5000)).toEqual([]);
  });

  it('takes 32 MiB', () => {
    const guard = new FloodGuard(() => now);
    expect(noted(guard, 32, 1024 * 1024)).toEqual([]);
    expect(guard.note(1)).toBe(true);
  });
});
