import type { ReactNode } from 'react';
import { useModels } from '../../api/use-models';
import { problemOf } from '../../ui/errors';
import { CheckField, NumberField, TextField } from '../../ui/field';
import { useAgentNames } from '../jobs/use-agent-names';
import { MultiSelect } from './multi-select';
import type { KeyDraft } from './key-draft';
import { AREAS, type Scope } from './scopes';

interface Props {
  draft: KeyDraft;
  change: (changes: Partial<KeyDraft>) => void;
  error: unknown;
  /** The key's current scopes: they can only be removed. */
  held?: KeyDraft;
}

export function KeyFields({ draft, change, error, held: leased }: Props): ReactNode {
  const models = useModels();
  const { agents } = useAgentNames();
  const toggle = (scope: Scope, isOn: boolean): void =>
    change({ scopes: isOn ? [...draft.scopes, scope] : draft.scopes.filter((other) => other !== scope) });
  const isLeased = (scope: Scope): boolean =>
    leased === undefined || leased.hasAllScopes || leased.scopes.includes(scope);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => change({ name })}
          problem={problemOf(error, 'name')}
        />
        <TextField
          label="Description"
          value={draft.description}
          onChange={(description) => change({ description })}
          problem={problemOf(error, 'description')}
        />
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-sm font-medium">Scopes</legend>
        <CheckField
          label="*"
          hint="Full access"
          checked={draft.hasAllScopes}
          onChange={(hasAllScopes) => change({ hasAllScopes })}
          disabled={leased?.hasAllScopes === false}
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
                      disabled={!isLeased(scope)}
                    />
                  ))}
                </div>
              </div>
            ))}
          </div>
        )}
        <CheckField
          label="approvals:answer"
          hint="Approves and denies calls of tools. Full access does not include it: a program that serves customers should not have it."
          checked={draft.answersApprovals}
          onChange={(answersApprovals) => change({ answersApprovals })}
        />
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Expires"
          type="date"
          value={draft.expires}
          onChange={(expires) => change({ expires })}
          problem={problemOf(error, 'expiresAt')}
          hint="No date: valid until revoked."
        />
        <NumberField
          label="Requests a minute"
          min={0}
          value={draft.requestsPerMinute}
          onChange={(requestsPerMinute) => change({ requestsPerMinute })}
          problem={problemOf(error, 'limits.requestsPerMinute')}
        />
        <NumberField
          label="Tokens a day"
          min={0}
          value={draft.dailyTokens}
          onChange={(dailyTokens) => change({ dailyTokens })}
          problem={problemOf(error, 'limits.dailyTokens')}
        />
        <NumberField
          label="Tokens a month"
          min={0}
          value={draft.monthlyTokens}
          onChange={(monthlyTokens) => change({ monthlyTokens })}
          problem={problemOf(error, 'limits.monthlyTokens')}
        />
        <MultiSelect
          label="Models"
          value={draft.models}
          onChange={(chosen) => change({ models: chosen })}
          options={models.map(({ id }) => ({ value: id, label: id }))}
          problem={problemOf(error, 'limits.models')}
        />
        <MultiSelect
          label="Agents"
          value={draft.agents}
          onChange={(chosen) => change({ agents: chosen })}
          options={agents.map(({ id, name }) => ({ value: id, label: name }))}
          problem={problemOf(error, 'limits.agents')}
        />
      </div>
    </>
  );
}
