import type { NewEmission } from './new-emission';

/** The key of an event registration in its Space. */
export const nameOf = ({ appIdentifier, event }: { appIdentifier: string; event: string }): string =>
  `${appIdentifier}\n${event}`;

export const keyOf = (emission: { appIdentifier: string; event: string; idempotencyKey: string | null }): string =>
  `${nameOf(emission)}\n${emission.idempotencyKey ?? ''}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By Space and key: two groups with the same keys in another order would wait for each other for good. */
export const inOrder = (a: NewEmission, b: NewEmission): number =>
  compare(a.spaceId, b.spaceId) || compare(keyOf(a), keyOf(b));
