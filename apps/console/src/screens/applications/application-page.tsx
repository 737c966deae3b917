import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Manifest } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { NotFound } from '../../frame/not-found';
import { useClient, useMay } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { isNotFound } from '../../ui/errors';
import { Facts } from '../../ui/facts';
import { Page, Section } from '../../ui/page';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { EmitEvent } from '../events/emit-event';
import { useRegisteredEvents } from '../events/use-registered-events';
import { DefaultTasks } from './default-tasks';
import { DeclaredEvent } from './declared-event';
import { ManifestForm } from './manifest-form';
import { Subscriptions } from './subscriptions';

type Action = 'upgrade' | 'rotate' | 'uninstall' | null;

export function ApplicationPage(): ReactNode {
  const { applicationId = '' }: { applicationId?: string } = useParams({ strict: false });
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const keys = useIdempotencyKey();
  const mayChange = useMay('ADMIN');
  const [action, setAction] = useState<Action>(null);
  const [key, setKey] = useState<string | null>(null);
  const [emitted, setEmitted] = useState<string | null>(null);
  const none = (): void => setAction(null);
  const registered = useRegisteredEvents();
  const found = useQuery({
    queryKey: ['applications', applicationId],
    queryFn: () => client.applications.get(applicationId),
  });
  if (isNotFound(found.error)) return <NotFound />;
  if (found.error && !found.data)
    return (
      <Page title="Application" crumbs={[{ label: 'Applications', to: '/applications' }]}>
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      </Page>
    );
  const application = found.data;
  if (!application)
    return (
      <Page title="Application" crumbs={[{ label: 'Applications', to: '/applications' }]}>
        <Loading label="Loading the application" lines={8} />
      </Page>
    );
  const { name, identifier, manifest } = application;
  const rotate = async (): Promise<void> => {
    const rotated = await client.applications.rotateKey(applicationId, { idempotencyKey: keys.keyFor('rotate') });
    keys.done();
    setKey(rotated.systemApiKey ?? null);
  };
  const uninstall = async (): Promise<void> => {
    await client.applications.uninstall(applicationId);
    toast.done(`${name} uninstalled.`);
    // The cached list still contains it and would show it for a moment.
    queries.removeQueries({ queryKey: ['applications', 'list'] });
    await navigate({ to: '/applications' });
    for (const area of ['applications', 'events', 'subscriptions'])
      void queries.invalidateQueries({ queryKey: [area], refetchType: 'active' });
  };
  return (
    <Page
      title={name}
      crumbs={[{ label: 'Applications', to: '/applications' }]}
      aside={<Badge>{application.version}</Badge>}
      actions={
        mayChange && (
          <>
            <Button onClick={() => setAction('upgrade')}>Upgrade</Button>
            <Button onClick={() => setAction('rotate')}>Rotate key</Button>
            <Button look="danger" onClick={() => setAction('uninstall')}>
              Uninstall
            </Button>
          </>
        )
      }
    >
      <Section title="Application">
        <Facts
          of={[
            ['Identifier', identifier],
            ['Installed', <Time key="installed" at={application.createdAt} />],
            ['Changed', <Time key="changed" at={application.updatedAt} />],
          ]}
        />
      </Section>
      <Section title="Events">
        <ul className="grid gap-2">
          {manifest.events.map((event) => (
            <DeclaredEvent
              key={event.name}
              event={event}
              actions={
                <>
                  <Link to="/events" search={{ event: event.name }} className="text-sm text-accent hover:underline">
                    Log
                  </Link>
                  {mayChange && (
                    <Button size="small" onClick={() => setEmitted(event.name)}>
                      Emit event
                    </Button>
                  )}
                </>
              }
            />
          ))}
        </ul>
      </Section>
      <DefaultTasks identifier={identifier} />
      <Subscriptions appIdentifier={identifier} />
      {emitted !== null && registered.data && (
        <EmitEvent
          eventId={registered.data.find((event) => event.appIdentifier === identifier && event.name === emitted)?.id}
          onClose={() => setEmitted(null)}
        />
      )}
      {action === 'upgrade' && (
        <ManifestForm
          action="Upgrade application"
          description="Events and defaults follow the manifest. Subscriptions of users stay."
          manifest={manifest}
          installed={manifest}
          send={(next) => client.applications.upgrade(applicationId, next)}
          onClose={none}
        />
      )}
      <ConfirmDialog open={action === 'rotate'} onClose={none} action="Rotate key" onConfirm={rotate}>
        {name} gets a new key. The old key stops working immediately; the application cannot emit until it has the new
        one.
      </ConfirmDialog>
      <ConfirmDialog open={action === 'uninstall'} onClose={none} action="Uninstall application" onConfirm={uninstall}>
        <WhatGoes manifest={manifest} />
      </ConfirmDialog>
      <OneTimeSecret title="The application's key" label="Key" value={key} onDone={() => setKey(null)} />
    </Page>
  );
}

const WhatGoes = ({ manifest }: { manifest: Manifest }): ReactNode => (
  <div className="grid gap-2 wrap-anywhere">
    <p>What goes with {manifest.name}:</p>
    <ul className="list-disc pl-5">
      <li>its key: it cannot emit any more</li>
      {manifest.events.map(({ name }) => (
        <li key={name}>the event {name}</li>
      ))}
      {(manifest.subscriptions ?? []).map(({ event, task }, index) => (
        <li key={index}>
          the default subscription to {event}
          {typeof task?.['name'] === 'string' && ` with its task ${task['name']}`}, unless somebody has changed it
        </li>
      ))}
    </ul>
    <p>Subscriptions of users stay, and wake when it is installed again.</p>
  </div>
);
