import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EnvelopeDetails } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Badge, StatusBadge } from '../../ui/badge';
import { Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { EndpointLink } from './endpoint-link';
import { whyUnmatched } from './unmatched-reasons';
import { TaskLink } from './task-link';

type Delivery = EnvelopeDetails['deliveries'][number];

const rows = 'grid divide-y divide-line';
const row = 'flex flex-wrap items-center gap-x-3 gap-y-1 py-2 first:pt-0 last:pb-0';

const ExecutionLink = ({ id }: { id: string }): ReactNode => (
  <Link to={`/executions/${id}`} title={id} className="text-accent hover:underline">
    Execution
  </Link>
);

/** Number of runs that the replay started; 0 if nothing matched. */
export function Triggered({ replay, deliveries }: { replay: number; deliveries: readonly Delivery[] }): ReactNode {
  const started = deliveries.flatMap((delivery) =>
    delivery.replay === replay && delivery.executionId !== null ? [delivery.executionId] : [],
  );
  return (
    <p role="status" className="mb-4 flex flex-wrap gap-x-3 gap-y-1 rounded-lg bg-good-soft px-4 py-3 text-good">
      {replay === 0
        ? 'Replayed: no subscription matches it now.'
        : started.length === 0
          ? 'Replayed: waiting for what it triggers.'
          : 'Replayed, and triggered:'}
      {replay > 0 && started.map((id) => <ExecutionLink key={id} id={id} />)}
    </p>
  );
}

const keyOf = ({ subscriptionId, endpointId, replay }: Delivery): string =>
  `${subscriptionId ?? ''}-${endpointId ?? ''}-${replay}`;

/** With the outcome of the last attempt, where it failed. */
function EndpointDelivery({
  delivery: { endpointId, attempts, attemptCount, error },
}: {
  delivery: Delivery;
}): ReactNode {
  const reason = error ?? attempts.at(-1)?.error?.message;
  return (
    <>
      {endpointId !== null && <EndpointLink endpointId={endpointId} />}
      {reason !== undefined && (
        <span className="text-soft">
          {' '}
          {reason} ({attemptCount} {attemptCount === 1 ? 'attempt' : 'attempts'})
        </span>
      )}
    </>
  );
}

export function Matched({ deliveries }: { deliveries: readonly Delivery[] }): ReactNode {
  return (
    <Section title="Matched subscriptions">
      {deliveries.length === 0 ? (
        <p className="text-soft">None: nothing was triggered.</p>
      ) : (
        <ul className={rows}>
          {deliveries.map((delivery) => (
            <li key={keyOf(delivery)} className={row}>
              <span className="min-w-0 flex-1 basis-40">
                {delivery.taskId !== null ? (
                  <TaskLink taskId={delivery.taskId} />
                ) : (
                  <EndpointDelivery delivery={delivery} />
                )}
              </span>
              {delivery.replay > 0 && <Badge>replay {delivery.replay}</Badge>}
              {delivery.executionId !== null && <ExecutionLink id={delivery.executionId} />}
              <StatusBadge status={delivery.status} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function Unmatched({ envelope }: { envelope: EnvelopeDetails }): ReactNode {
  const client = useClient();
  const { appIdentifier, event, deliveries } = envelope;
  const query = useQuery({
    queryKey: ['subscriptions', 'of', appIdentifier, event],
    // An event has no more than a page of them.
    queryFn: () => client.events.subscriptions({ appIdentifier, event, limit: 100 }),
  });
  const matched = new Set(deliveries.map(({ subscriptionId }) => subscriptionId));
  const others = query.data?.items.filter(({ id }) => !matched.has(id));
  return (
    <Section title="Unmatched subscriptions">
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : others === undefined ? (
        <Loading label="Loading the subscriptions" />
      ) : others.length === 0 ? (
        <p className="text-soft">None: no other subscription listens to this event.</p>
      ) : (
        <ul className={rows}>
          {others.map((subscription) => (
            <li key={subscription.id} className={row}>
              <span className="min-w-0 flex-1 basis-40">
                {subscription.taskId !== null && <TaskLink taskId={subscription.taskId} />}
              </span>
              <span className="text-soft">{whyUnmatched(envelope, subscription)}</span>
              {subscription.filter !== null && (
                <code className="basis-full font-mono text-xs break-all text-faint">
                  {JSON.stringify(subscription.filter)}
                </code>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
