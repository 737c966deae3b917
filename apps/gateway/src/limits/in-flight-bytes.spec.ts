import { InFlightBytes } from './in-flight-bytes';

const limits = { total: 100, space: 40, anonymous: 30, address: 20 };
const one = { spaceId: 'one' };
const two = { spaceId: 'two' };
const here = { address: '10.0.0.1' };
const there = { address: '10.0.0.2' };

describe('a byte budget', () => {
  let budget: InFlightBytes;

  beforeEach(() => {
    budget = new InFlightBytes(limits);
  });

  it('refuses a Space over its share and serves its neighbour', () => {
    expect(budget.take(one, 40)).toBeNull();
    expect(budget.take(one, 1)).toBe('space');
    expect(budget.take(two, 40)).toBeNull();
  });

  it('refuses an address over its share, and all addresses together over theirs', () => {
    expect(budget.take(here, 20)).toBeNull();
    expect(budget.take(here, 1)).toBe('address');
    expect(budget.take(there, 10)).toBeNull();
    expect(budget.take(there, 1)).toBe('anonymous');
    expect(budget.take(one, 40)).toBeNull();
  });

  it('refuses everybody over the total', () => {
    for (const spaceId of ['one', 'two']) budget.take({ spaceId }, 40);
    expect(budget.take({ spaceId: 'three' }, 21)).toBe('total');
    expect(budget.take({ spaceId: 'three' }, 20)).toBeNull();
  });

  it('takes nothing when it refuses, and forgets what was given back', () => {
    budget.take(one, 40);
    budget.take(one, 1);
    budget.take(here, 20);
    expect([budget.total, budget.anonymous, budget.largest('space'), budget.largest('address')]).toEqual([
      60, 20, 40, 20,
    ]);
    budget.give(one, 40);
    budget.give(here, 20);
    expect([budget.total, budget.anonymous, budget.largest('space'), budget.largest('address')]).toEqual([0, 0, 0, 0]);
  });

  it('counts what cannot be refused any more', () => {
    budget.takeAnyway(one, 50);
    expect([budget.total, budget.take(one, 1)]).toEqual([50, 'space']);
  });
});
