import type { Lease } from '../db/ledger-batch.repository';
import { Leases, type WrittenLease } from './leases';

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
  const leasesOf = (): Leases =>
    new Leases(
      (_spaceId, tokens) => tokens * calls,
      () => now,
    );
  const write = (leases: Leases, ended: Lease[], begun: Lease[]): WrittenLease[] => {
    const written = leases.without(ended, begun);
    leases.written(written, ended, begun);
    return written;
  };

  beforeEach(() => {
    calls = 0;
  });

  it('are sums by Space and key', () => {
    const leases = leasesOf();
    const begun = [call(5), call(7), call(1, 'one', 'key'), call(2, 'other')];
    expect(write(leases, [], begun)).toEqual([
      writtenLease(0),
      writtenLease(0, 0, 'one', 'key'),
      writtenLease(0, 0, 'other'),
    ]);
    expect(write(leases, [call(5)], [call(3)])).toEqual([writtenLease(7)]);
    expect(write(leases, [call(10)], [])).toEqual([writtenLease(0)]);
    expect(leases.without([], [call(9)])).toEqual([writtenLease(0)]);
  });

  it('are as before when they were not written, and are said again with the next', () => {
    const leases = leasesOf();
    write(leases, [], [call(5)]);
    leases.invalidate(leases.without([call(5)], [call(4, 'other')]));
    expect(leases.isDue).toBe(true);
    expect(write(leases, [], [])).toEqual([writtenLease(0, 0, 'other'), writtenLease(5)]);
    expect([leases.isDue, leases.without([], [])]).toEqual([false, []]);
  });

  it('let calls in by what is held ahead, and no further', () => {
    const leases = leasesOf();
    expect(leases.take(call(5))).toBe(false);
    calls = 2;
    write(leases, [], [call(5)]);
    expect([leases.take(call(5)), leases.take(call(5)), leases.take(call(1))]).toEqual([true, true, false]);
    expect(leases.take(call(5, 'one', 'key'))).toBe(false);
    // Two of the three end: what they have held is free, and as much as before is held ahead.
    expect(write(leases, [call(5), call(5)], [])).toEqual([writtenLease(5, 10)]);
    expect([leases.take(call(10)), leases.take(call(1))]).toEqual([true, false]);
  });

  it('give nothing that may not be held: while a batch is written, and after one that was lost', () => {
    const leases = leasesOf();
    calls = 3;
    write(leases, [], [call(5)]);
    calls = 1;
    const less = leases.without([], [call(5)]);
    expect(less).toEqual([writtenLease(5, 5)]);
    expect([leases.take(call(5)), leases.take(call(5))]).toEqual([true, false]);
    leases.invalidate(less);
    expect(leases.take(call(5))).toBe(false);
    calls = 3;
    const more = leases.without([], []);
    expect(more).toEqual([writtenLease(10, 15)]);
    expect(leases.take(call(5))).toBe(false);
    leases.written(more, [], []);
    expect([leases.take(call(15)), leases.take(call(1))]).toEqual([true, false]);
  });

  it('count what is taken while a batch is written', () => {
    const leases = leasesOf();
    calls = 4;
    write(leases, [], [call(5)]);
    const batch = leases.without([call(5)], []);
    expect(batch).toEqual([writtenLease(0, 20)]);
    expect(leases.take(call(5))).toBe(true);
    leases.written(batch, [call(5)], []);
    expect([leases.take(call(15)), leases.take(call(1))]).toEqual([true, false]);
    expect(write(leases, [], [call(1)])).toEqual([writtenLease(20, 4)]);
  });

  it('say what was taken, and give back what nobody takes', () => {
    const leases = leasesOf();
    calls = 2;
    write(leases, [], [call(5)]);
    leases.look();
    expect(leases.isDue).toBe(false);
    leases.take(call(5));
    leases.look();
    expect(write(leases, [], [])).toEqual([writtenLease(10, 10)]);
    now += 5_001;
    leases.look();
    expect(write(leases, [], [])).toEqual([writtenLease(10, 0)]);
    expect(leases.take(call(1))).toBe(false);
    write(leases, [call(10)], []);
    leases.look();
    expect(leases.isDue).toBe(false);
  });

  it('give back what is just being written, and say again what a batch had no word of', () => {
    const leases = leasesOf();
    calls = 2;
    const first = leases.without([], [call(5)]);
    expect(leases.giveBack('one')).toBe(true);
    calls = 0;
    leases.written(first, [], [call(5)]);
    expect(write(leases, [], [])).toEqual([writtenLease(5, 0)]);
    expect(leases.isDue).toBe(false);
  });

  it('take nothing by what was granted long ago: others may have freed it', () => {
    const leases = leasesOf();
    calls = 3;
    write(leases, [], [call(5)]);
    now += 4_999;
    expect(leases.take(call(5))).toBe(true);
    now += 1;
    expect(leases.take(call(5))).toBe(false);
    leases.invalidateAll();
    expect(write(leases, [], [])).toEqual([writtenLease(10, 15)]);
    expect(leases.take(call(5))).toBe(true);
  });

  it('tell what others of the Space add in the same batch', () => {
    const requested: unknown[] = [];
    const leases = new Leases((spaceId, _tokens, state) => {
      requested.push([spaceId, state]);
      return 7;
    });
    write(leases, [], [call(5), call(5, 'one', 'key'), call(5, 'other')]);
    write(leases, [], [call(5), call(5, 'one', 'key')]);
    expect(requested).toEqual([
      ['one', { own: 0, more: 0 }],
      ['one', { own: 0, more: 7 }],
      ['other', { own: 0, more: 0 }],
      ['one', { own: 7, more: 0 }],
      ['one', { own: 7, more: 0 }],
    ]);
  });

  it('give back at once what is held ahead in a Space', () => {
    const leases = leasesOf();
    calls = 2;
    write(leases, [], [call(5), call(3, 'other')]);
    calls = 0;
    expect([leases.giveBack('one'), leases.giveBack('third')]).toEqual([true, false]);
    expect(write(leases, [], [])).toEqual([writtenLease(5, 0)]);
    expect([leases.take(call(1)), leases.take(call(1, 'other'))]).toEqual([false, true]);
  });
});
