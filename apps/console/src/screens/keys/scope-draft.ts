import type { Scope } from './scopes';

export interface ScopeDraft {
  hasAllScopes: boolean;
  scopes: readonly Scope[];
  /** Beside the others: full access does not include it. */
  answersApprovals: boolean;
}

/** The scopes as the API takes them. */
export const scopesOf = (draft: ScopeDraft): Scope[] => [
  ...(draft.hasAllScopes ? (['*'] as const) : draft.scopes),
  ...(draft.answersApprovals ? (['approvals:answer'] as const) : []),
];
