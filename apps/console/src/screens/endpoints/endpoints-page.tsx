import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Endpoint } from '@switchyard/client';
import { Plus, Webhook } from 'lucide-react';
import { isBlank, useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { EndpointHealth } from './endpoint-health';
import { NewEndpoint } from './new-endpoint';
import { receiverOf } from './receiver';

export function EndpointsPage(): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const mayWrite = useMay('ADMIN');
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const list = useList(['endpoints', 'list'], (cursor) =>
    client.events.endpoints.list({ limit: 100, ...(cursor ? { cursor } : {}) }),
  );
  const open = (id: string): void => void navigate({ to: `/endpoints/${id}`, ignoreBlocker: true });
  const newEndpoint = mayWrite && (
    <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      Create endpoint
    </Button>
  );
  const columns: Column<Endpoint>[] = [
    {
      name: 'Name',
      cell: ({ id, name }) => (
        <Link to={`/endpoints/${id}`} className="font-medium hover:underline">
          {name}
        </Link>
      ),
    },
    {
      name: 'Receiver',
      isWide: true,
      cell: (endpoint) => <span className="wrap-anywhere text-soft">{receiverOf(endpoint)}</span>,
    },
    { name: 'Health', saysItself: true, width: '9rem', cell: (endpoint) => <EndpointHealth of={endpoint} /> },
    {
      name: 'Last success',
      width: '9rem',
      cell: ({ lastSuccessAt }) => (lastSuccessAt === null ? 'Never' : <Time at={lastSuccessAt} />),
    },
  ];
  return (
    <Page
      title="Endpoints"
      description="Your addresses and services to which the platform sends events."
      actions={!isBlank(list) && newEndpoint}
    >
      <Table
        name="Endpoints"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="No endpoints yet"
            icon={<Webhook className="size-5" aria-hidden="true" />}
            action={isBlank(list) && newEndpoint}
          >
            An endpoint receives each event that it subscribes to as a signed request, and again until it is accepted.
          </Empty>
        }
      />
      {isNew && (
        <NewEndpoint
          onClose={() => setNew(false)}
          onMade={({ id, secret }) => {
            setNew(false);
            if (secret === undefined) open(id);
            else setMade({ id, secret });
          }}
        />
      )}
      <OneTimeSecret
        title="The secret of your endpoint"
        label="Secret"
        value={made?.secret ?? null}
        onDone={() => {
          const id = made?.id;
          setMade(null);
          if (id !== undefined) open(id);
        }}
      >
        <p className="text-soft">Your server checks the signature of each request with it.</p>
      </OneTimeSecret>
    </Page>
  );
}
