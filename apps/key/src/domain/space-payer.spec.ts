import { type PayerFacts, payerOf } from './space-payer';

const SPACE: PayerFacts = { id: 'space-1', payerKind: null, payerId: null, madeBy: 'user-1', madeByKind: 'operator' };

describe('the payer of a Space', () => {
  it('is the Space itself if an operator made it', () => {
    expect(payerOf(SPACE)).toEqual({ kind: 'space', id: 'space-1' });
  });

  it('is the account that made it if that is no operator', () => {
    expect(payerOf({ ...SPACE, madeByKind: 'user' })).toEqual({ kind: 'user', id: 'user-1' });
  });

  it('is the Space itself while its maker is not on record', () => {
    expect(payerOf({ ...SPACE, madeByKind: null })).toEqual({ kind: 'space', id: 'space-1' });
    expect(payerOf({ ...SPACE, madeBy: null, madeByKind: 'user' })).toEqual({ kind: 'space', id: 'space-1' });
  });

  it('is the one that an operator named, not its maker', () => {
    const named = { payerKind: 'space', payerId: 'space-2' } as const;
    expect(payerOf({ ...SPACE, ...named })).toEqual({ kind: 'space', id: 'space-2' });
    expect(payerOf({ ...SPACE, ...named, madeByKind: 'user' })).toEqual({ kind: 'space', id: 'space-2' });
  });

  it('is the one at the end of the row', () => {
    const paidBy = (id: string, payerId: string): PayerFacts => ({ ...SPACE, id, payerKind: 'space', payerId });
    const others = new Map(
      [paidBy('b', 'c'), { ...SPACE, id: 'c', madeByKind: 'user' as const }].map((s) => [s.id, s]),
    );
    expect(payerOf(paidBy('a', 'b'), others)).toEqual({ kind: 'user', id: 'user-1' });
    const ring = new Map([paidBy('a', 'b'), paidBy('b', 'a')].map((s) => [s.id, s]));
    for (const id of ['a', 'b', 'z'])
      expect(payerOf(ring.get(id) ?? paidBy(id, 'b'), ring)).toEqual({ kind: 'space', id: 'a' });
  });
});
