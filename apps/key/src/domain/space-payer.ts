import type { Payer } from '@switchyard/contracts';

export interface PayerFacts {
  id: string;
  payerKind: Payer['kind'] | null;
  payerId: string | null;
  madeBy: string | null;
  madeByKind: 'operator' | 'user' | null;
}

/** How many Spaces may pay one for another in a row, the first and the last included. */
export const PAYERS_IN_A_ROW = 8;

/**
 * The payer that an operator named; else the account that made the Space, unless an operator did: then the Space
 * itself.
 */
function ownPayerOf({ id, payerKind, payerId, madeBy, madeByKind }: PayerFacts): Payer {
  if (payerKind !== null && payerId !== null) return { kind: payerKind, id: payerId };
  if (madeByKind === 'user' && madeBy !== null) return { kind: 'user', id: madeBy };
  return { kind: 'space', id };
}

/** The other Space that an operator named as the payer of this one. */
export function otherPayerOf(space: PayerFacts): string | null {
  const { kind, id } = ownPayerOf(space);
  return kind === 'space' && id !== space.id ? id : null;
}

/**
 * The payer at the end of the row: if a Space pays whose own payer is another one, that one pays. `others` has the
 * Spaces that are named. In a ring, which no route makes, its smallest id pays for all of it.
 */
export function payerOf(space: PayerFacts, others: ReadonlyMap<string, PayerFacts> = new Map()): Payer {
  const passed: string[] = [];
  let last = space;
  for (;;) {
    passed.push(last.id);
    const payer = ownPayerOf(last);
    if (payer.kind === 'user' || payer.id === last.id) return payer;
    const start = passed.indexOf(payer.id);
    if (start >= 0) return { kind: 'space', id: passed.slice(start).toSorted()[0] ?? payer.id };
    const next = others.get(payer.id);
    if (!next) return payer;
    last = next;
  }
}
