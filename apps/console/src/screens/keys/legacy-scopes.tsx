import { type ReactNode, useState } from 'react';
import type { ApiKey } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Note, Refusal } from '../../ui/note';
import { useAction } from '../../ui/use-action';

/** Keys older than the scope `approvals:answer` still have it, and an admin must decide whether they keep it. */
export function LegacyScopes({ keys }: { keys: readonly ApiKey[] }): ReactNode {
  return keys
    .filter(({ status, legacyScopes = [] }) => status === 'ACTIVE' && legacyScopes.length > 0)
    .map((key) => <LegacyScope key={key.id} apiKey={key} />);
}

function LegacyScope({ apiKey: { id, name, scopes } }: { apiKey: ApiKey }): ReactNode {
  const client = useClient();
  const [isKept, setKept] = useState(false);
  const decide = useAction(
    (keeps: boolean) => {
      setKept(keeps);
      return client.keys.update(id, {
        scopes: keeps ? scopes : scopes.filter((scope) => scope !== 'approvals:answer'),
      });
    },
    { changes: [['keys']], done: 'Key changed.' },
  );
  return (
    <Note
      tone="warn"
      className="mb-3"
      action={
        <span className="inline-flex gap-1">
          <Button size="small" isBusy={decide.isBusy && !isKept} onClick={() => void decide.run(false)}>
            Remove
          </Button>
          <Button size="small" isBusy={decide.isBusy && isKept} onClick={() => void decide.run(true)}>
            Keep
          </Button>
        </span>
      }
    >
      <strong dir="auto">{name}</strong> may answer approvals, because it is older than the scope{' '}
      <code>approvals:answer</code>. Each use is in the security events. Keep the scope only if a person decides behind
      this key.
      <Refusal error={decide.error} />
    </Note>
  );
}
