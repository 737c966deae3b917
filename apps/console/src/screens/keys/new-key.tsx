import { type ReactNode, useState } from 'react';
import type { ApiKeyWithValue, NewApiKey } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { CheckField, NumberField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useDeed } from '../../ui/use-deed';
import { AREAS, type Scope } from './scopes';

interface Props {
  open: boolean;
  onClose: () => void;
  onMade: (key: ApiKeyWithValue) => void;
}

interface Draft {
  name: string;
  description: string;
  isForAll: boolean;
  scopes: Scope[];
  expires: string;
  dailyTokens: number | null;
  monthlyTokens: number | null;
  requestsPerMinute: number | null;
}

const EMPTY: Draft = {
  name: '',
  description: '',
  isForAll: false,
  scopes: ['agents:read', 'agents:call'],
  expires: '',
  dailyTokens: null,
  monthlyTokens: null,
  requestsPerMinute: null,
};

const bodyOf = (draft: Draft): NewApiKey => {
  const { dailyTokens, monthlyTokens, requestsPerMinute } = draft;
  const given = Object.entries({ dailyTokens, monthlyTokens, requestsPerMinute }).filter(([, value]) => value !== null);
  return {
    name: draft.name,
    scopes: draft.isForAll ? ['*'] : draft.scopes,
    ...(draft.description === '' ? {} : { description: draft.description }),
    // The whole of the last day.
    ...(draft.expires === '' ? {} : { expiresAt: new Date(`${draft.expires}T23:59:59`).toISOString() }),
    ...(given.length === 0 ? {} : { limits: Object.fromEntries(given) }),
  };
};

export function NewKey({ open, onClose, onMade }: Props): ReactNode {
  const client = useClient();
  const keys = useIdempotencyKey();
  const [draft, setDraft] = useState(EMPTY);
  const change = (changes: Partial<Draft>): void => setDraft((old) => ({ ...old, ...changes }));
  const create = useDeed(
    async () => onMade(await client.keys.create(bodyOf(draft), { idempotencyKey: keys.keyFor(draft) })),
    { changes: [['keys']] },
  );
  const toggle = (scope: Scope, isOn: boolean): void =>
    change({ scopes: isOn ? [...draft.scopes, scope] : draft.scopes.filter((other) => other !== scope) });
  const submit = async (): Promise<void> => {
    if (!(await create.run())) return;
    keys.done();
    setDraft(EMPTY);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New key"
      description="A key acts in this Space with your permissions."
      wide
    >
      <Form submit="Create key" isBusy={create.isBusy} error={create.error} onSubmit={submit} onCancel={onClose}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Name"
            value={draft.name}
            onChange={(name) => change({ name })}
            problem={problemOf(create.error, 'name')}
          />
          <TextField
            label="Description"
            value={draft.description}
            onChange={(description) => change({ description })}
            problem={problemOf(create.error, 'description')}
          />
        </div>
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">Scopes</legend>
          <CheckField
            label="*"
            hint="Full access"
            checked={draft.isForAll}
            onChange={(isForAll) => change({ isForAll })}
          />
          {!draft.isForAll && (
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
                      />
                    ))}
                  </div>
                </div>
              ))}
            </div>
          )}
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Expires"
            type="date"
            value={draft.expires}
            onChange={(expires) => change({ expires })}
            problem={problemOf(create.error, 'expiresAt')}
            hint="No date: valid until revoked."
          />
          <NumberField
            label="Requests a minute"
            min={0}
            value={draft.requestsPerMinute}
            onChange={(requestsPerMinute) => change({ requestsPerMinute })}
            problem={problemOf(create.error, 'limits.requestsPerMinute')}
          />
          <NumberField
            label="Tokens a day"
            min={0}
            value={draft.dailyTokens}
            onChange={(dailyTokens) => change({ dailyTokens })}
            problem={problemOf(create.error, 'limits.dailyTokens')}
          />
          <NumberField
            label="Tokens a month"
            min={0}
            value={draft.monthlyTokens}
            onChange={(monthlyTokens) => change({ monthlyTokens })}
            problem={problemOf(create.error, 'limits.monthlyTokens')}
          />
        </div>
      </Form>
    </Dialog>
  );
}
