import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { EndpointWithSecret, NewEndpoint as NewEndpointBody } from '@switchyard/client';
import { collectAll } from '../../api/collect-all';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient, useSession } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { SelectField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';

interface Props {
  onClose: () => void;
  onMade: (endpoint: EndpointWithSecret) => void;
}

type Transport = 'http' | 'nats';
const TRANSPORTS: { value: Transport; label: string }[] = [
  { value: 'http', label: 'HTTPS address' },
  { value: 'nats', label: 'Service on NATS' },
];

export function NewEndpoint({ onClose, onMade }: Props): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const keys = useIdempotencyKey();
  const [name, setName] = useState('');
  const [transport, setTransport] = useState<Transport>('http');
  const [url, setUrl] = useState('https://');
  const [chosen, setChosen] = useState('');
  const accounts = useQuery({
    queryKey: ['nats-accounts', 'active'],
    queryFn: () => collectAll(client.natsAccounts.all(space.id, { status: 'ACTIVE', limit: 100 })),
    enabled: transport === 'nats',
  });
  const natsAccountId = chosen === '' ? (accounts.data?.[0]?.id ?? '') : chosen;
  const body: NewEndpointBody = transport === 'http' ? { name, url } : { name, transport, natsAccountId };
  const create = useAction(
    async () => onMade(await client.events.endpoints.create(body, { idempotencyKey: keys.keyFor(body) })),
    { changes: [['endpoints']] },
  );
  const submit = async (): Promise<void> => {
    if (await create.run()) keys.done();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create endpoint"
      description="Choose its events on its page afterwards. Until then it receives nothing."
    >
      <Form
        submit="Create endpoint"
        isBusy={create.isBusy}
        error={create.error}
        onSubmit={submit}
        onCancel={onClose}
        canSubmit={name !== '' && (transport === 'http' || natsAccountId !== '')}
      >
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          hint="Small letters, digits and hyphens. It cannot be changed later."
          problem={problemOf(create.error, 'name')}
        />
        <SelectField
          label="Receiver"
          value={transport}
          onChange={(value) => setTransport(value === 'nats' ? 'nats' : 'http')}
          options={TRANSPORTS}
        />
        {transport === 'http' ? (
          <TextField label="Address" value={url} onChange={setUrl} problem={problemOf(create.error, 'url')} />
        ) : (
          <SelectField
            label="NATS account"
            value={natsAccountId}
            onChange={setChosen}
            options={(accounts.data ?? []).map((account) => ({ value: account.id, label: account.name }))}
            hint={accounts.data?.length === 0 ? 'The Space has no active NATS account yet.' : undefined}
            problem={problemOf(create.error, 'natsAccountId')}
          />
        )}
      </Form>
    </Dialog>
  );
}
