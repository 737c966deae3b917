import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { EnvelopeDetails } from '@switchyard/client';
import { useActivity } from '../../api/activity-context';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { NotFound } from '../../frame/not-found';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { isNotFound } from '../../ui/errors';
import { Facts } from '../../ui/facts';
import { number, shortId } from '../../ui/format';
import { Json } from '../../ui/json';
import { Page, Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { ChainOfCauses } from '../causes/chain-of-causes';
import { Matched, Triggered, Unmatched } from './trigger-results';
import { SKIPPED } from './unmatched-reasons';
import { sourceOf } from './sources';

const LOOK_AGAIN_MS = 1_500;

const isSettled = ({ status, deliveries }: EnvelopeDetails): boolean =>
  status !== 'PENDING' && deliveries.every(({ kind, status: outcome }) => kind === 'ENDPOINT' || outcome !== 'PENDING');

export function EnvelopePage(): ReactNode {
  const { envelopeId = '' }: { envelopeId?: string } = useParams({ strict: false });
  // Another envelope is another page: what was said of a replay is not said of it.
  return <OneEnvelope key={envelopeId} envelopeId={envelopeId} />;
}

function OneEnvelope({ envelopeId }: { envelopeId: string }): ReactNode {
  const client = useClient();
  const keys = useIdempotencyKey();
  const queries = useQueryClient();
  const mayReplay = useMay('MEMBER');
  const [replayed, setReplayed] = useState<number | null>(null);
  const found = useQuery({
    queryKey: ['events', 'envelope', envelopeId],
    queryFn: () => client.events.envelope(envelopeId),
    refetchInterval: ({ state }) => {
      const isReplayed = !replayed || state.data?.deliveries.some((delivery) => delivery.replay === replayed);
      return state.data && isSettled(state.data) && isReplayed ? false : LOOK_AGAIN_MS;
    },
  });
  const envelope = found.data;
  const { appIdentifier = '', event = '' } = envelope ?? {};
  const registered = useQuery({
    queryKey: ['events', 'registered', appIdentifier, event],
    queryFn: () => client.events.registered({ appIdentifier, name: event }),
    enabled: envelope !== undefined,
  });
  useActivity((row) => {
    if (row === null || row.id === envelopeId) void found.refetch();
  });
  const replay = useAction(
    async () => {
      const { replay: turn, matchedSubscriptions } = await client.events.replay(envelopeId, {
        idempotencyKey: keys.keyFor('replay'),
      });
      keys.done();
      setReplayed(matchedSubscriptions > 0 ? turn : 0);
      await queries.invalidateQueries({ queryKey: ['events'] });
    },
    { saysRefusal: true },
  );
  if (isNotFound(found.error)) return <NotFound />;
  if (found.error && !envelope)
    return (
      <Page title="Event" crumbs={[{ label: 'Events', to: '/events' }]}>
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      </Page>
    );
  if (!envelope)
    return (
      <Page title="Event" crumbs={[{ label: 'Events', to: '/events' }]}>
        <Loading label="Loading the event" lines={8} />
      </Page>
    );
  const { status, error } = envelope;
  const schema = registered.data?.items[0]?.schema;
  return (
    <Page
      title={event}
      crumbs={[{ label: 'Events', to: '/events' }]}
      aside={<StatusBadge status={status} />}
      actions={
        <>
          <Link to={`/causes/emission/${envelopeId}`} className="px-2 text-accent underline-offset-2 hover:underline">
            Causes
          </Link>
          {mayReplay && (
            <Button isBusy={replay.isBusy} onClick={() => void replay.run()}>
              Replay
            </Button>
          )}
        </>
      }
    >
      {replayed !== null && <Triggered replay={replayed} deliveries={envelope.deliveries} />}
      {status === 'SKIPPED' && (
        <p role="note" className="mb-4 rounded-lg bg-warn-soft px-4 py-3 wrap-anywhere text-warn">
          {SKIPPED[error?.code ?? ''] ?? 'It was recorded, but nothing was started.'} {error?.message} A replay begins
          anew. <span className="font-mono text-xs">{error?.code}</span>
        </p>
      )}
      {status === 'FAILED' && error && (
        <p role="alert" className="mb-4 rounded-lg bg-bad-soft px-4 py-3 wrap-anywhere text-bad">
          {error.message} It triggered nothing; a replay tries it again.{' '}
          <span className="font-mono text-xs">{error.code}</span>
        </p>
      )}
      <Section title="Emission">
        <Facts
          of={[
            ['Application', envelope.appIdentifier],
            ['From', sourceOf(envelope.source)],
            ['Emitted', <Time key="emitted" at={envelope.emittedAt} />],
            ['Dispatched', envelope.dispatchedAt && <Time key="dispatched" at={envelope.dispatchedAt} />],
            ['Depth', number(envelope.depth)],
            ['Attempts', number(envelope.attempts)],
            ['Idempotency key', envelope.idempotencyKey],
            [
              'Chain',
              <Link
                key="chain"
                to="/events"
                search={{ correlationId: envelope.correlationId }}
                className="text-accent hover:underline"
              >
                All of chain {shortId(envelope.correlationId)}
              </Link>,
            ],
          ]}
        />
      </Section>
      <div className="grid items-start gap-x-4 lg:grid-cols-2">
        <Section title="Payload">
          <Json label="Payload" value={envelope.payload} />
        </Section>
        <Section title="Schema">
          {schema ? (
            <Json label="Schema" value={schema} />
          ) : registered.error ? (
            <ErrorState error={registered.error} onRetry={() => void registered.refetch()} />
          ) : registered.data ? (
            <p className="text-soft">The event is not declared any more.</p>
          ) : (
            <Loading label="Loading the schema" />
          )}
        </Section>
      </div>
      <ChainOfCauses kind="emission" id={envelopeId} />
      <Matched deliveries={envelope.deliveries} />
      <Unmatched envelope={envelope} />
    </Page>
  );
}
