export const SIGNING_ALGORITHMS = ['ES256', 'RS256'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/**
 * A new algorithm signs only after its key has been published for so long: while an upgrade is under way there are
 * still verifiers that do not know the algorithm.
 */
export const CHANGE_OF_ALGORITHM_MS = 3_600_000;

/** CURRENT signs; NEXT is published before it is used; RETIRING only verifies what it signed. */
export type SigningKeyStage = 'CURRENT' | 'NEXT' | 'RETIRING';

export interface SigningKeyAge {
  kid: string;
  algorithm: SigningAlgorithm;
  stage: SigningKeyStage;
  createdAt: string;
  currentSince: string | null;
  retireAt: string | null;
}

export interface SigningKeyPolicy {
  algorithm: SigningAlgorithm;
  /** How long a key signs. */
  lifeMs: number;
}

export interface SigningKeyPlan {
  /** No longer published: all tokens that they signed have expired. */
  drop: string[];
  /** Stops signing. */
  retire: string | null;
  /** The published next key that begins to sign. */
  promote: string | null;
  /** There is none to promote: a fresh key begins to sign at once. */
  createCurrent: boolean;
  createNext: boolean;
}

export function planSigningKeys(keys: readonly SigningKeyAge[], policy: SigningKeyPolicy, now: Date): SigningKeyPlan {
  const current = keys.find((key) => key.stage === 'CURRENT');
  const next = keys.find((key) => key.stage === 'NEXT' && key.algorithm === policy.algorithm);
  const foreignNext = keys.filter((key) => key.stage === 'NEXT' && key.algorithm !== policy.algorithm);
  const retired = keys.filter((key) => key.retireAt !== null && Date.parse(key.retireAt) <= now.getTime());

  const since = current?.currentSince ?? null;
  const isSpent = since === null || Date.parse(since) + policy.lifeMs <= now.getTime();
  const isListed = next !== undefined && Date.parse(next.createdAt) + CHANGE_OF_ALGORITHM_MS <= now.getTime();
  const mustChange = current === undefined || (current.algorithm === policy.algorithm ? isSpent : isListed);

  return {
    drop: [...retired, ...foreignNext].map((key) => key.kid),
    retire: mustChange && current ? current.kid : null,
    promote: mustChange && next ? next.kid : null,
    createCurrent: mustChange && next === undefined,
    createNext: mustChange || next === undefined,
  };
}
