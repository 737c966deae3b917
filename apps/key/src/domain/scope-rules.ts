import { Scope, hasScope } from '@switchyard/contracts';

/** The wanted scopes that `held` does not cover. `*` is covered by `*` alone. */
export const scopesBeyond = (held: readonly string[], wanted: readonly Scope[]): Scope[] =>
  wanted.filter((scope) => !(scope === '*' ? held.includes('*') : hasScope(held, scope)));

/** Without repetitions, in the order given. */
export const distinctScopes = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)];
