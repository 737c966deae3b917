import type { ReactNode } from 'react';
import { CheckField } from '../../ui/field';
import type { ScopeDraft } from './scope-draft';
import { AREAS, type Scope } from './scopes';

interface Props {
  draft: ScopeDraft;
  change: (changes: Partial<ScopeDraft>) => void;
  /** The current scopes: they can only be removed. */
  limit?: ScopeDraft;
  /** Further scopes, beside the areas. */
  children?: ReactNode;
}

/** The scopes of a credential, by areas. */
export function ScopeFields({ draft, change, limit, children }: Props): ReactNode {
  const toggle = (scope: Scope, isOn: boolean): void =>
    change({ scopes: isOn ? [...draft.scopes, scope] : draft.scopes.filter((other) => other !== scope) });
  const isOffered = (scope: Scope): boolean =>
    limit === undefined || limit.hasAllScopes || limit.scopes.includes(scope);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">Scopes</legend>
      <CheckField
        label="*"
        hint="Full access"
        checked={draft.hasAllScopes}
        onChange={(hasAllScopes) => change({ hasAllScopes })}
        disabled={limit?.hasAllScopes === false}
      />
      {!draft.hasAllScopes && (
        <div className="grid rounded-lg border border-line">
          {AREAS.map(([area, scopes]) => (
            <div
              key={area}
              className="grid gap-2 border-b border-line px-3 py-2 last:border-b-0 sm:grid-cols-[7rem_1fr]"
            >
              <span className="text-soft">{area}</span>
              <div className="grid gap-x-4 gap-y-1 sm:grid-cols-3">
                {scopes.map((scope) => (
                  <CheckField
                    key={scope}
                    label={scope}
                    checked={draft.scopes.includes(scope)}
                    onChange={(isOn) => toggle(scope, isOn)}
                    disabled={!isOffered(scope)}
                  />
                ))}
              </div>
            </div>
          ))}
        </div>
      )}
      {children}
      <CheckField
        label="approvals:answer"
        hint="Approves and denies calls of tools. Full access does not include it: a program that serves customers should not have it."
        checked={draft.answersApprovals}
        onChange={(answersApprovals) => change({ answersApprovals })}
      />
    </fieldset>
  );
}
