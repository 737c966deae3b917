import { Scope, hasScope } from '@switchyard/contracts';

/** The wanted scopes that `held` does not cover. `*` is covered by `*` alone. */
export const scopesBeyond = (leased: readonly string[], requested: readonly Scope[]): Scope[] =>
  requested.filter((scope) => !(scope === '*' ? leased.includes('*') : hasScope(leased, scope)));

/** Without repetitions, in the order given. */
export const distinctScopes = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)];
