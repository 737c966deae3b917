import type { Lease } from '../db/ledger-batch.repository';
import { TokenLeases, type WrittenLease } from './token-leases';

const call = (tokens: number, spaceId = 'one', keyId = ''): Lease => ({ spaceId, keyId, tokens });
const writtenLease = (tokens: number, preleased = 0, spaceId = 'one', keyId = ''): WrittenLease => ({
  spaceId,
  keyId,
  tokens,
  ahead: preleased,
});

describe('the leases of a relay', () => {
  let now = 10_000;
  let calls = 0;
  const leasesOf = (): TokenLeases =>
    new TokenLeases(
      (_spaceId, tokens) => tokens * calls,
      () => now,
    );
  const write = (tokenLeases: TokenLeases, ended: Lease[], begun: Lease[]): WrittenLease[] => {
    const written = tokenLeases.without(ended, begun);
    tokenLeases.written(written, ended, begun);
    return written;
  };

  beforeEach(() => {
    calls = 0;
  });

  it('are sums by Space and key', () => {
    const tokenLeases = leasesOf();
    const begun = [call(5), call(7), call(1, 'one', 'key'), call(2, 'other')];
    expect(write(tokenLeases, [], begun)).toEqual([
      writtenLease(0),
      writtenLease(0, 0, 'one', 'key'),
      writtenLease(0, 0, 'other'),
    ]);
    expect(write(tokenLeases, [call(5)], [call(3)])).toEqual([writtenLease(7)]);
    expect(write(tokenLeases, [call(10)], [])).toEqual([writtenLease(0)]);
    expect(tokenLeases.without([], [call(9)])).toEqual([writtenLease(0)]);
  });

  it('are as before when they were not written, and are said again with the next', () => {
    const tokenLeases = leasesOf();
    write(tokenLeases, [], [call(5)]);
    tokenLeases.invalidate(tokenLeases.without([call(5)], [call(4, 'other')]));
    expect(tokenLeases.isDue).toBe(true);
    expect(write(tokenLeases, [], [])).toEqual([writtenLease(0, 0, 'other'), writtenLease(5)]);
    expect([tokenLeases.isDue, tokenLeases.without([], [])]).toEqual([false, []]);
  });

  it('let calls in by what is held ahead, and no further', () => {
    const tokenLeases = leasesOf();
    expect(tokenLeases.take(call(5))).toBe(false);
    calls = 2;
    write(tokenLeases, [], [call(5)]);
    expect([tokenLeases.take(call(5)), tokenLeases.take(call(5)), tokenLeases.take(call(1))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(tokenLeases.take(call(5, 'one', 'key'))).toBe(false);
    // Two of the three end: their tokens are free, and as many as before are leased in advance.
    expect(write(tokenLeases, [call(5), call(5)], [])).toEqual([writtenLease(5, 10)]);
    expect([tokenLeases.take(call(10)), tokenLeases.take(call(1))]).toEqual([true, false]);
  });

  it('give nothing that may not be held: while a batch is written, and after one that was lost', () => {
    const tokenLeases = leasesOf();
    calls = 3;
    write(tokenLeases, [], [call(5)]);
    calls = 1;
    const less = tokenLeases.without([], [call(5)]);
    expect(less).toEqual([writtenLease(5, 5)]);
    expect([tokenLeases.take(call(5)), tokenLeases.take(call(5))]).toEqual([true, false]);
    tokenLeases.invalidate(less);
    expect(tokenLeases.take(call(5))).toBe(false);
    calls = 3;
    const more = tokenLeases.without([], []);
    expect(more).toEqual([writtenLease(10, 15)]);
    expect(tokenLeases.take(call(5))).toBe(false);
    tokenLeases.written(more, [], []);
    expect([tokenLeases.take(call(15)), tokenLeases.take(call(1))]).toEqual([true, false]);
  });

  it('count what is taken while a batch is written', () => {
    const tokenLeases = leasesOf();
    calls = 4;
    write(tokenLeases, [], [call(5)]);
    const batch = tokenLeases.without([call(5)], []);
    expect(batch).toEqual([writtenLease(0, 20)]);
    expect(tokenLeases.take(call(5))).toBe(true);
    tokenLeases.written(batch, [call(5)], []);
    expect([tokenLeases.take(call(15)), tokenLeases.take(call(1))]).toEqual([true, false]);
    expect(write(tokenLeases, [], [call(1)])).toEqual([writtenLease(20, 4)]);
  });

  it('report what was taken, and return what is not taken', () => {
    const tokenLeases = leasesOf();
    calls = 2;
    write(tokenLeases, [], [call(5)]);
    tokenLeases.look();
    expect(tokenLeases.isDue).toBe(false);
    tokenLeases.take(call(5));
    tokenLeases.look();
    expect(write(tokenLeases, [], [])).toEqual([writtenLease(10, 10)]);
    now += 5_001;
    tokenLeases.look();
    expect(write(tokenLeases, [], [])).toEqual([writtenLease(10, 0)]);
    expect(tokenLeases.take(call(1))).toBe(false);
    write(tokenLeases, [call(10)], []);
    tokenLeases.look();
    expect(tokenLeases.isDue).toBe(false);
  });

  it('give back what is just being written, and say again what a batch had no word of', () => {
    const tokenLeases = leasesOf();
    calls = 2;
    const first = tokenLeases.without([], [call(5)]);
    expect(tokenLeases.giveBack('one')).toBe(true);
    calls = 0;
    tokenLeases.written(first, [], [call(5)]);
    expect(write(tokenLeases, [], [])).toEqual([writtenLease(5, 0)]);
    expect(tokenLeases.isDue).toBe(false);
  });

  it('take nothing by what was granted long ago: others may have freed it', () => {
    const tokenLeases = leasesOf();
    calls = 3;
    write(tokenLeases, [], [call(5)]);
    now += 4_999;
    expect(tokenLeases.take(call(5))).toBe(true);
    now += 1;
    expect(tokenLeases.take(call(5))).toBe(false);
    tokenLeases.invalidateAll();
    expect(write(tokenLeases, [], [])).toEqual([writtenLease(10, 15)]);
    expect(tokenLeases.take(call(5))).toBe(true);
  });

  it('tell what others of the Space add in the same batch', () => {
    const requested: unknown[] = [];
    const tokenLeases = new TokenLeases((spaceId, _tokens, state) => {
      requested.push([spaceId, state]);
      return 7;
    });
    write(tokenLeases, [], [call(5), call(5, 'one', 'key'), call(5, 'other')]);
    write(tokenLeases, [], [call(5), call(5, 'one', 'key')]);
    expect(requested).toEqual([
      ['one', { own: 0, more: 0 }],
      ['one', { own: 0, more: 7 }],
      ['other', { own: 0, more: 0 }],
      ['one', { own: 7, more: 0 }],
      ['one', { own: 7, more: 0 }],
    ]);
  });

  it('give back at once what is held ahead in a Space', () => {
    const tokenLeases = leasesOf();
    calls = 2;
    write(tokenLeases, [], [call(5), call(3, 'other')]);
    calls = 0;
    expect([tokenLeases.giveBack('one'), tokenLeases.giveBack('third')]).toEqual([true, false]);
    expect(write(tokenLeases, [], [])).toEqual([writtenLease(5, 0)]);
    expect([tokenLeases.take(call(1)), tokenLeases.take(call(1, 'other'))]).toEqual([false, true]);
  });
});
