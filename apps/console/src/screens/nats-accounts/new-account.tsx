import { type ReactNode, useState } from 'react';
import type { NatsAccountWithSeed, NewNatsAccount } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient, useSession } from '../../session/session-context';
import { wordsOf } from '../../ui/badge';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { CheckField, NumberField, SelectField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';
import { type ScopeDraft, scopesOf } from '../keys/scope-draft';
import { ScopeFields } from '../keys/scope-fields';

interface Props {
  onClose: () => void;
  onMade: (account: NatsAccountWithSeed) => void;
}

const ROLES = ['VIEWER', 'MEMBER', 'ADMIN'] as const;
type AccountRole = (typeof ROLES)[number];

interface Draft extends ScopeDraft {
  name: string;
  role: AccountRole;
  emits: boolean;
  /** Identifiers, separated by commas. */
  applications: string;
  requestsPerMinute: number | null;
}

const EMPTY: Draft = {
  name: '',
  role: 'MEMBER',
  hasAllScopes: false,
  scopes: ['agents:read', 'agents:call'],
  answersApprovals: false,
  emits: false,
  applications: '',
  requestsPerMinute: null,
};

function newAccountOf(draft: Draft): NewNatsAccount {
  const applications = draft.applications.split(/[\s,]+/u).filter((identifier) => identifier !== '');
  const scopes = scopesOf(draft);
  const limits = {
    ...(draft.emits && applications.length > 0 ? { applications } : {}),
    ...(draft.requestsPerMinute === null ? {} : { requestsPerMinute: draft.requestsPerMinute }),
  };
  return {
    name: draft.name,
    role: draft.role,
    scopes: draft.emits && !draft.hasAllScopes ? [...scopes, 'events:emit'] : scopes,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

export function NewAccount({ onClose, onMade }: Props): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const keys = useIdempotencyKey();
  const [draft, setDraft] = useState(EMPTY);
  const change = (changes: Partial<Draft>): void => setDraft((old) => ({ ...old, ...changes }));
  const create = useAction(
    async () => {
      const body = newAccountOf(draft);
      onMade(await client.natsAccounts.create(space.id, body, { idempotencyKey: keys.keyFor(body) }));
    },
    { changes: [['nats-accounts']] },
  );
  const submit = async (): Promise<void> => {
    if (await create.run()) keys.done();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create NATS account"
      description="An account stands for one service of yours. Like a key, it has a role and scopes."
      wide
    >
      <Form
        submit="Create NATS account"
        isBusy={create.isBusy}
        error={create.error}
        onSubmit={submit}
        onCancel={onClose}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Name"
            value={draft.name}
            onChange={(name) => change({ name })}
            hint="Small letters, digits and hyphens."
            problem={problemOf(create.error, 'name')}
          />
          <SelectField
            label="Role"
            value={draft.role}
            onChange={(value) => change({ role: ROLES.find((role) => role === value) ?? 'MEMBER' })}
            options={ROLES.map((role) => ({ value: role, label: wordsOf(role) }))}
            problem={problemOf(create.error, 'role')}
          />
        </div>
        <ScopeFields draft={draft} change={change}>
          <CheckField
            label="events:emit"
            hint="Emits events of the applications below."
            checked={draft.emits}
            onChange={(emits) => change({ emits })}
          />
        </ScopeFields>
        <div className="grid gap-4 sm:grid-cols-2">
          {draft.emits && (
            <TextField
              label="Emits for"
              value={draft.applications}
              onChange={(applications) => change({ applications })}
              hint="Identifiers of applications, separated by commas."
              problem={problemOf(create.error, 'limits.applications')}
            />
          )}
          <NumberField
            label="Requests a minute"
            min={0}
            value={draft.requestsPerMinute}
            onChange={(requestsPerMinute) => change({ requestsPerMinute })}
            hint="6,000 unless set."
            problem={problemOf(create.error, 'limits.requestsPerMinute')}
          />
        </div>
      </Form>
    </Dialog>
  );
}
