import { type ReactNode, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Application, Manifest } from '@switchyard/client';
import { AppWindow, Plus } from 'lucide-react';
import { isBlank, useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { number } from '../../ui/format';
import { Page } from '../../ui/page';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { ManifestForm } from './manifest-form';
import { Subscriptions } from './subscriptions';

const EXAMPLE: Manifest = {
  identifier: 'shop',
  name: 'Shop',
  version: '1.0.0',
  events: [
    {
      name: 'order.paid',
      description: 'Somebody has paid.',
      schema: {
        type: 'object',
        required: ['order', 'total'],
        properties: { order: { type: 'string' }, total: { type: 'number' } },
      },
    },
  ],
};

const columns: Column<Application>[] = [
  {
    name: 'Name',
    cell: ({ id, name, identifier }) => (
      <>
        <Link
          to="/applications/$applicationId"
          params={{ applicationId: id }}
          className="font-medium wrap-anywhere hover:underline"
          dir="auto"
        >
          {name}
        </Link>{' '}
        <span className="font-mono text-xs text-faint">{identifier}</span>
      </>
    ),
  },
  { name: 'Version', width: '9rem', cell: ({ version }) => <span className="text-soft">{version}</span> },
  {
    name: 'Events',
    width: '9rem',
    cell: ({ manifest }) => <span className="text-soft">{number(manifest.events.length)} declared</span>,
  },
  { name: 'Changed', width: '8rem', align: 'right', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

export function ApplicationsPage(): ReactNode {
  const client = useClient();
  const mayInstall = useMay('ADMIN');
  const [isNew, setNew] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  const list = useList(['applications', 'list'], (cursor) =>
    client.applications.list({ limit: 50, platform: false, ...(cursor ? { cursor } : {}) }),
  );
  const install = mayInstall ? (
    <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      Install application
    </Button>
  ) : undefined;
  return (
    <Page
      title="Applications"
      description="Programs that emit events, and the tasks that run on them."
      actions={isBlank(list) ? undefined : install}
    >
      <Table
        name="Applications"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        height="24rem"
        empty={
          <Empty
            title="No applications yet"
            icon={<AppWindow className="size-5" aria-hidden="true" />}
            action={isBlank(list) && install}
          >
            An application declares events with the schema of their payload, gets a key to emit them, and may bring
            tasks along.
          </Empty>
        }
      />
      <div className="mt-6">
        <Subscriptions />
      </div>
      {isNew && (
        <ManifestForm
          action="Install application"
          description="The manifest declares its events, the schemas of their payloads, and default tasks and subscriptions."
          manifest={EXAMPLE}
          send={async (manifest, idempotencyKey) =>
            setKey((await client.applications.install(manifest, { idempotencyKey })).systemApiKey ?? null)
          }
          onClose={() => setNew(false)}
        />
      )}
      <OneTimeSecret title="The application's key" label="Key" value={key} onDone={() => setKey(null)}>
        <p className="text-soft">With it the application emits its events, and can do nothing else.</p>
      </OneTimeSecret>
    </Page>
  );
}
