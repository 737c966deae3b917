import type { Lease } from '../db/books.repository';
import { Leases } from './leases';

const call = (tokens: number, spaceId = 'one', keyId = ''): Lease => ({ spaceId, keyId, tokens });

describe('the leases of a relay', () => {
  it('are sums by Space and key', () => {
    const leases = new Leases();
    const begun = [call(5), call(7), call(1, 'one', 'key'), call(2, 'other')];
    expect(leases.without([], begun)).toEqual([call(0), call(0, 'one', 'key'), call(0, 'other')]);
    leases.written(leases.without([], begun), begun);
    expect(leases.without([call(5)], [])).toEqual([call(7)]);
    leases.written(leases.without([call(5)], [call(3)]), [call(3)]);
    expect(leases.without([], [call(9)])).toEqual([call(10)]);
    leases.written(leases.without([call(10)], []), []);
    expect(leases.without([], [call(9)])).toEqual([call(0)]);
  });

  it('are as before when they were not written, and are said again with the next', () => {
    const leases = new Leases();
    leases.written([], [call(5)]);
    const lost = leases.without([call(5)], [call(4, 'other')]);
    leases.doubt(lost);
    expect(leases.isDoubtful).toBe(true);
    const next = leases.without([], []);
    expect(next).toEqual([call(0, 'other'), call(5)]);
    leases.written(next, []);
    expect([leases.isDoubtful, leases.without([], [])]).toEqual([false, []]);
  });
});
