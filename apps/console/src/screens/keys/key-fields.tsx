import type { ReactNode } from 'react';
import { useModels } from '../../api/use-models';
import { problemOf } from '../../ui/errors';
import { NumberField, TextField } from '../../ui/field';
import { useAgentNames } from '../jobs/use-agent-names';
import { MultiSelect } from './multi-select';
import type { KeyDraft } from './key-draft';
import { ScopeFields } from './scope-fields';

interface Props {
  draft: KeyDraft;
  change: (changes: Partial<KeyDraft>) => void;
  error: unknown;
  /** The key's current scopes: they can only be removed. */
  held?: KeyDraft;
}

export function KeyFields({ draft, change, error, held: limit }: Props): ReactNode {
  const models = useModels();
  const { agents } = useAgentNames();
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
      <ScopeFields draft={draft} change={change} limit={limit} />
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
