import type { Payer } from '@switchyard/contracts';

export interface PayerFacts {
  id: string;
  payerKind: Payer['kind'] | null;
  payerId: string | null;
  madeBy: string | null;
  madeByKind: 'operator' | 'user' | null;
}

/** The payer that an operator named; else the account that made the Space, unless an operator did: then the Space itself. */
export function payerOf({ id, payerKind, payerId, madeBy, madeByKind }: PayerFacts): Payer {
  if (payerKind !== null && payerId !== null) return { kind: payerKind, id: payerId };
  if (madeByKind === 'user' && madeBy !== null) return { kind: 'user', id: madeBy };
  return { kind: 'space', id };
}
