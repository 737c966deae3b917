import { type ReactNode, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { EndpointDelivery } from '@switchyard/client';
import { withAny } from '../../api/status';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { SelectField } from '../../ui/field';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { useAction } from '../../ui/use-action';

const STATES = ['PENDING', 'DELIVERED', 'FAILED', 'DISCARDED'] as const;
type DeliveryState = (typeof STATES)[number];
const LOOK_AGAIN_MS = 5_000;

const isState = (value: string): value is DeliveryState => STATES.some((state) => state === value);

/** The last attempt in words: an answer, or why there was none. */
function outcomeOf({ attempts, attemptCount, error }: EndpointDelivery): string {
  const last = attempts.at(-1);
  if (error === null && last === undefined) return 'Not tried yet';
  const words = error ?? last?.error?.message ?? `Answered ${last?.status ?? ''}`;
  return attemptCount > 1 ? `${words} (${attemptCount} attempts)` : words;
}

export function EndpointDeliveries({ endpointId }: { endpointId: string }): ReactNode {
  const client = useClient();
  const keys = useIdempotencyKey();
  const [status, setStatus] = useState<DeliveryState | ''>('');
  const list = useList(
    ['endpoints', endpointId, 'deliveries', status],
    (cursor) =>
      client.events.endpoints.deliveries(endpointId, {
        limit: 50,
        ...(status === '' ? {} : { status }),
        ...(cursor ? { cursor } : {}),
      }),
    { refetchInterval: LOOK_AGAIN_MS },
  );
  const again = useAction(
    async (envelopeId: string) => {
      await client.events.replay(envelopeId, { endpointId, idempotencyKey: keys.keyFor(envelopeId) });
      keys.done();
    },
    { changes: [['endpoints']], done: 'Sent again.', saysRefusal: true },
  );
  const columns: Column<EndpointDelivery>[] = [
    {
      name: 'Event',
      cell: ({ envelopeId, event, replay }) => (
        <span>
          <Link to={`/events/${envelopeId}`} className="text-accent hover:underline">
            {event}
          </Link>
          {replay > 0 && <span className="text-faint"> sent again</span>}
        </span>
      ),
    },
    { name: 'State', saysItself: true, width: '8rem', cell: ({ status: state }) => <StatusBadge status={state} /> },
    {
      name: 'Last attempt',
      isWide: true,
      cell: (delivery) => (
        <span className="wrap-anywhere text-soft" title={attemptLines(delivery)}>
          {outcomeOf(delivery)}
        </span>
      ),
    },
    { name: 'Created', width: '8rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'Actions',
      saysItself: true,
      width: '8rem',
      align: 'right',
      cell: ({ envelopeId, event }) => (
        <Button
          size="small"
          isBusy={again.isBusy}
          aria-label={`Send again: ${event}`}
          onClick={() => void again.run(envelopeId)}
        >
          Send again
        </Button>
      ),
    },
  ];
  return (
    <Section
      title="Deliveries"
      actions={
        <SelectField
          label="State of deliveries"
          hideLabel
          value={status}
          onChange={(value) => setStatus(isState(value) ? value : '')}
          options={withAny('Any state', STATES)}
        />
      }
    >
      <Table
        name="Deliveries"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        height="32rem"
        empty={<p className="text-soft">{status === '' ? 'Nothing was sent yet.' : 'None in this state.'}</p>}
      />
    </Section>
  );
}

/** Each attempt on a line, the last ten. */
const attemptLines = ({ attempts }: EndpointDelivery): string =>
  attempts
    .map(({ at, status, durationMs, error }) => `${at}  ${status ?? error?.message ?? ''}  ${durationMs} ms`)
    .join('\n');
