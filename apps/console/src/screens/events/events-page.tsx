import { type ReactNode, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Envelope } from '@switchyard/client';
import { Network, X, Zap } from 'lucide-react';
import { beginOf } from '../../api/period';
import { withAny } from '../../api/status';
import { useFilters } from '../../api/use-filters';
import { useList } from '../../api/use-list';
import { useRefresh } from '../../api/use-refresh';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Chip, ChipSelect, Chips } from '../../ui/chips';
import type { Option } from '../../ui/field';
import { number, shortId } from '../../ui/format';
import { Page } from '../../ui/page';
import { PeriodChips } from '../../ui/period-chips';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { EmitEvent } from './emit-event';
import { STATUSES, eventsSearch } from './search-params';
import { EMISSION_SOURCES, sourceOf } from './sources';
import { useRegisteredEvents } from './use-registered-events';

const columns: Column<Envelope>[] = [
  {
    name: 'Event',
    cell: ({ id, event, appIdentifier }) => (
      <>
        <Link
          to="/events/$envelopeId"
          params={{ envelopeId: id }}
          className="font-medium wrap-anywhere hover:underline"
          dir="auto"
        >
          {event}
        </Link>{' '}
        <span className="text-sm text-faint">{appIdentifier}</span>
      </>
    ),
  },
  { name: 'Status', saysItself: true, width: '9rem', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Payload',
    cell: ({ payload }) => <span className="font-mono text-xs break-all text-soft">{start(payload)}</span>,
  },
  { name: 'From', width: '8rem', cell: ({ source }) => <span className="text-soft">{sourceOf(source)}</span> },
  {
    name: 'Matched',
    saysItself: true,
    width: '7rem',
    cell: ({ matchedSubscriptions: count }) => <span className="text-soft">{number(count)} matched</span>,
  },
  {
    name: 'Emitted',
    width: '7rem',
    align: 'right',
    cell: ({ emittedAt }) => (
      <span className="text-soft">
        <Time at={emittedAt} />
      </span>
    ),
  },
  {
    name: 'Causes',
    saysItself: true,
    width: '5rem',
    align: 'right',
    cell: ({ id, event }) => (
      <Link
        to={`/causes/emission/${id}`}
        aria-label={`Causes of ${event}`}
        title="Causes"
        className="inline-grid size-7 place-items-center rounded-md text-faint hover:bg-line hover:text-ink"
      >
        <Network className="size-4" aria-hidden="true" />
      </Link>
    ),
  },
];

const SHOWN = 120;

const start = (payload: Record<string, unknown>): string => JSON.stringify(payload).slice(0, SHOWN);

export function EventsPage(): ReactNode {
  const client = useClient();
  const mayEmit = useMay('ADMIN');
  const registered = useRegisteredEvents();
  const [{ status, event, app, source, since, from, to, correlationId }, change] = useFilters(eventsSearch);
  const [isNew, setNew] = useState(false);
  const list = useList(['events', 'list', status, event, app, source, since, from, to, correlationId], (cursor) =>
    client.events.envelopes({
      limit: 50,
      ...(cursor ? { cursor } : {}),
      ...(status ? { status } : {}),
      ...(event ? { event } : {}),
      ...(app ? { appIdentifier: app } : {}),
      ...(source ? { source } : {}),
      ...(since ? { from: beginOf(since) } : from ? { from } : {}),
      ...(to && !since ? { to } : {}),
      ...(correlationId ? { correlationId } : {}),
    }),
  );
  useRefresh(['events', 'list'], ({ kind }) => kind === 'emission');
  const choiceOf = (any: string, existing: readonly string[], chosen: string | undefined): Option[] => [
    { value: '', label: any },
    ...[...new Set([...existing, ...(chosen ? [chosen] : [])])].toSorted().map((value) => ({ value, label: value })),
  ];
  const names = (registered.data ?? []).map(({ name }) => name);
  const apps = (registered.data ?? []).map(({ appIdentifier }) => appIdentifier);
  const isFiltered = [status, event, app, source, since, from, to, correlationId].some((value) => value !== undefined);
  const showAll = (): void =>
    change({
      ...{ status: undefined, event: undefined, app: undefined, source: undefined },
      ...{ since: undefined, from: undefined, to: undefined, correlationId: undefined },
    });
  const emit = mayEmit ? (
    <Button look="primary" icon={<Zap className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      Emit event
    </Button>
  ) : undefined;
  return (
    <Page title="Events" description="What applications, data and people have emitted." actions={emit}>
      <div className="mb-3">
        <Chips label="Filters">
          <Chip isOn={status === 'FAILED'} onChange={(isOn) => change({ status: isOn ? 'FAILED' : undefined })}>
            Failed
          </Chip>
          <PeriodChips span={{ since, from, to }} onChange={change} />
          <ChipSelect
            label="Status"
            value={status ?? ''}
            onChange={(value) => change({ status: value })}
            options={withAny('Any status', STATUSES)}
          />
          <ChipSelect
            label="Event"
            value={event ?? ''}
            onChange={(value) => change({ event: value })}
            options={choiceOf('Any event', names, event)}
          />
          <ChipSelect
            label="Application"
            value={app ?? ''}
            onChange={(value) => change({ app: value })}
            options={choiceOf('Any application', apps, app)}
          />
          <ChipSelect
            label="Source"
            value={source ?? ''}
            onChange={(value) => change({ source: value })}
            options={[
              { value: '', label: 'Any source' },
              ...EMISSION_SOURCES.map((value) => ({ value, label: sourceOf(value) })),
            ]}
          />
          {correlationId !== undefined && (
            <Chip isOn onChange={() => change({ correlationId: undefined })}>
              Chain {shortId(correlationId)} <X className="ml-1 size-3.5" aria-hidden="true" />
            </Chip>
          )}
          {isFiltered && (
            <Button size="small" look="ghost" onClick={showAll}>
              Clear filters
            </Button>
          )}
        </Chips>
      </div>
      <Table
        name="Events"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title={isFiltered ? 'Nothing like that' : 'No events yet'}
            icon={<Zap className="size-5" aria-hidden="true" />}
            action={
              isFiltered ? (
                <Button onClick={showAll}>Show everything</Button>
              ) : (
                <Link to="/applications" className="rounded-lg bg-accent px-3 py-1.5 font-medium text-on-accent">
                  See the applications
                </Link>
              )
            }
          >
            {isFiltered
              ? 'No emission matches these filters.'
              : 'An installed application emits events, and the tasks that subscribe to them run.'}
          </Empty>
        }
      />
      {isNew && (
        <EmitEvent onClose={() => setNew(false)} eventId={registered.data?.find(({ name }) => name === event)?.id} />
      )}
    </Page>
  );
}
