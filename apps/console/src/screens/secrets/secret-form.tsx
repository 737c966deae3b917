import { type ReactNode, useState } from 'react';
import type { Secret } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { AreaField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';
import { hostsIn, isWidened } from './secret-hosts';

interface Props {
  open: boolean;
  /** The one to change; null for a new one. */
  secret: Secret | null;
  onClose: () => void;
}

const GIVE_AGAIN = 'Enter the value again: it may now be sent to more hosts than before.';

/** Mounted anew each time it opens: a value that was typed stays nowhere. */
export function SecretForm({ open, secret, onClose }: Props): ReactNode {
  const title = secret === null ? 'Create secret' : `Change ${secret.name}`;
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Fields secret={secret} onClose={onClose} />
    </Dialog>
  );
}

function Fields({ secret, onClose }: Omit<Props, 'open'>): ReactNode {
  const client = useClient();
  const keys = useIdempotencyKey();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [description, setDescription] = useState(secret?.description ?? '');
  const [hosts, setHosts] = useState(secret?.hosts.join('\n') ?? '');
  const body = {
    description: description === '' ? null : description,
    hosts: hostsIn(hosts),
  };
  const isWider = secret !== null && isWidened(secret.hosts, body.hosts);
  const save = useAction(
    () =>
      secret === null
        ? client.secrets.create({ name, value, ...body }, { idempotencyKey: keys.keyFor({ name, value, ...body }) })
        : client.secrets.update(secret.id, { ...body, ...(value === '' ? {} : { value }) }),
    { changes: [['secrets']], done: `${secret?.name ?? name} stored.` },
  );
  const submit = async (): Promise<void> => {
    if (await save.run()) onClose();
  };
  return (
    <Form
      submit={secret === null ? 'Create secret' : 'Save'}
      isBusy={save.isBusy}
      error={save.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      {secret === null && (
        <TextField
          label="Name"
          isCode
          value={name}
          onChange={setName}
          placeholder="CRM_TOKEN"
          problem={problemOf(save.error, 'name')}
        />
      )}
      <TextField
        label={secret === null || isWider ? 'Value' : 'New value'}
        type="password"
        autoComplete="off"
        isCode
        value={value}
        onChange={setValue}
        problem={problemOf(save.error, 'value')}
        hint={secret === null ? 'It cannot be read again.' : isWider ? GIVE_AGAIN : 'Empty: the value is kept.'}
      />
      <TextField
        label="Description"
        value={description}
        onChange={setDescription}
        problem={problemOf(save.error, 'description')}
      />
      <AreaField
        label="Hosts"
        isCode
        rows={3}
        value={hosts}
        onChange={setHosts}
        placeholder="api.example.com"
        problem={problemOf(save.error, 'hosts')}
        hint="Where it can be sent, one per line; *.example.com for all subdomains. Empty: any host."
      />
    </Form>
  );
}
