import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Endpoint } from '@switchyard/client';
import { Ellipsis } from 'lucide-react';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Facts } from '../../ui/facts';
import { number } from '../../ui/format';
import { Menu, type MenuItem } from '../../ui/menu';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { Page, Section } from '../../ui/page';
import { RecordOf } from '../../ui/record';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { EditEndpoint } from './edit-endpoint';
import { EndpointDeliveries } from './endpoint-deliveries';
import { EndpointHealth } from './endpoint-health';
import { EndpointSubscriptions } from './endpoint-subscriptions';
import { receiverOf } from './receiver';

const CRUMBS = [{ label: 'Endpoints', to: '/endpoints' }];

export function EndpointPage(): ReactNode {
  const { endpointId = '' }: { endpointId?: string } = useParams({ strict: false });
  const client = useClient();
  const query = useQuery({
    queryKey: ['endpoints', endpointId],
    queryFn: () => client.events.endpoints.get(endpointId),
  });
  return (
    <RecordOf query={query} noun="endpoint" crumbs={CRUMBS}>
      {(endpoint) => <OneEndpoint key={endpointId} endpoint={endpoint} />}
    </RecordOf>
  );
}

function OneEndpoint({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const { id, name, status } = endpoint;
  const client = useClient();
  const keys = useIdempotencyKey();
  const mayWrite = useMay('ADMIN');
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = (): void => setDialog(null);
  const test = useAction(
    async () => {
      const { status: answered, durationMs, error } = await client.events.endpoints.test(id);
      if (error === null) toast.done(`The test was accepted with ${answered ?? 'no status'} in ${durationMs} ms.`);
      else toast.failed(`The test failed: ${error.message}`);
    },
    { changes: [['endpoints']], saysRefusal: true },
  );
  const pause = useAction((active: boolean) => client.events.endpoints.update(id, { active }), {
    changes: [['endpoints']],
    saysRefusal: true,
  });
  const resume = useAction(() => client.events.endpoints.resume(id), {
    changes: [['endpoints']],
    done: 'The endpoint receives events again. What failed meanwhile is sent if you send it again.',
    saysRefusal: true,
  });
  const rotate = async (): Promise<void> => {
    const rotated = await client.events.endpoints.rotateSecret(id, { idempotencyKey: keys.keyFor('rotate') });
    keys.done();
    setSecret(rotated.secret ?? null);
  };
  const items: (MenuItem | null)[] = [
    { label: 'Edit', onSelect: () => setDialog('edit') },
    endpoint.active
      ? { label: 'Pause', onSelect: () => void pause.run(false) }
      : { label: 'Activate', onSelect: () => void pause.run(true) },
    ...(endpoint.transport === 'http' ? [{ label: 'Rotate secret', onSelect: () => setDialog('rotate') }] : []),
    null,
    { label: 'Delete', isDanger: true, onSelect: () => setDialog('delete') },
  ];
  return (
    <Page
      title={name}
      crumbs={CRUMBS}
      aside={<EndpointHealth of={endpoint} />}
      actions={
        mayWrite && (
          <>
            {status === 'DISABLED' && (
              <Button look="primary" isBusy={resume.isBusy} onClick={() => void resume.run()}>
                Resume
              </Button>
            )}
            <Button isBusy={test.isBusy} onClick={() => void test.run()}>
              Send test
            </Button>
            <Menu
              trigger={
                <Button
                  look="ghost"
                  aria-label={`Actions of ${name}`}
                  icon={<Ellipsis className="size-4" aria-hidden="true" />}
                />
              }
              items={items}
            />
          </>
        )
      }
    >
      {endpoint.failingReason !== null && (
        <p role="note" className="mb-4 rounded-lg bg-warn-soft px-4 py-3 wrap-anywhere text-warn">
          {status === 'DISABLED' ? 'Disabled: deliveries failed' : 'Deliveries fail'}
          {endpoint.failingSince !== null && (
            <>
              {' since '}
              <Time at={endpoint.failingSince} />
            </>
          )}
          . <span className="font-mono text-xs">{endpoint.failingReason}</span>
        </p>
      )}
      <Section title="Receiver">
        <Facts
          of={[
            ['Receiver', receiverOf(endpoint)],
            ['Headers', Object.keys(endpoint.headers ?? {}).join(', ')],
            ['Deliveries at a time', number(endpoint.inFlight)],
            [
              'Last success',
              endpoint.lastSuccessAt === null ? 'Never' : <Time key="last" at={endpoint.lastSuccessAt} />,
            ],
            ['Created', <Time key="created" at={endpoint.createdAt} />],
          ]}
        />
      </Section>
      {mayWrite && <EndpointSubscriptions endpointId={id} />}
      {mayWrite && <EndpointDeliveries endpointId={id} />}
      {dialog === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      <ConfirmDialog open={dialog === 'rotate'} onClose={close} action="Rotate secret" onConfirm={rotate}>
        The endpoint gets a new secret. For a day each request is signed with both, so that your server has time to
        change.
      </ConfirmDialog>
      <OneTimeSecret title="The new secret" label="Secret" value={secret} onDone={() => setSecret(null)} />
      {dialog === 'delete' && <DeleteEndpoint endpoint={endpoint} onClose={close} />}
    </Page>
  );
}

function DeleteEndpoint({ endpoint: { id, name }, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await client.events.endpoints.delete(id);
    toast.done(`${name} deleted.`);
    await navigate({ to: '/endpoints' });
    queries.removeQueries({ queryKey: ['endpoints', id] });
    await queries.invalidateQueries({ queryKey: ['endpoints', 'list'] });
  };
  return (
    <ConfirmDialog open onClose={onClose} action="Delete endpoint" onConfirm={remove}>
      {name} and its subscriptions are deleted. Deliveries that wait are not sent. This cannot be undone.
    </ConfirmDialog>
  );
}
