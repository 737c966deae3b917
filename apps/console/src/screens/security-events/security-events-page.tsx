import { type ReactNode, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { SecurityEvent } from '@switchyard/client';
import { ShieldCheck } from 'lucide-react';
import { SPACE_ACTIONS, actionOptions } from '../../api/security-words';
import { useFilters } from '../../api/use-filters';
import { useList } from '../../api/use-list';
import { useClient, useSession } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Chip, ChipSelect, Chips } from '../../ui/chips';
import type { Option } from '../../ui/field';
import { Page } from '../../ui/page';
import { SecurityEventTable } from '../../ui/security-event-table';
import { Empty } from '../../ui/states';
import type { Column } from '../../ui/table';
import { Time } from '../../ui/time';
import { useNames } from '../usage/use-names';
import { actorName, targetName } from './event-names';
import { PERIODS, beginOf, securitySearch } from './search-params';

const DENIED = 'access.denied';

/** Log of keys, people, secrets and settings, by name and with filters. */
export function SecurityEventsPage(): ReactNode {
  const client = useClient();
  const { space, user } = useSession();
  const names = useNames();
  const [{ action, by, period }, change] = useFilters(securitySearch);
  const people = usePeople(by, names.user);
  // One begin for all pages of the list.
  const from = useMemo(() => (period === undefined ? undefined : beginOf(period, Date.now())), [period]);
  const list = useList(['security-events', space.id, action, by, period], (cursor) =>
    client.spaces.securityEvents(space.id, {
      limit: 100,
      ...(action ? { action } : {}),
      ...(by ? { actor: by } : {}),
      ...(from ? { from } : {}),
      ...(cursor ? { cursor } : {}),
    }),
  );
  const isFiltered = [action, by, period].some((value) => value !== undefined);
  const columns: Column<SecurityEvent>[] = [
    {
      name: 'To',
      cell: (event) => (
        <span className="text-soft stacked:wrap-anywhere" title={event.target ?? undefined} dir="auto">
          {targetName(event, names) ?? '–'}
        </span>
      ),
    },
    {
      name: 'When',
      width: '7rem',
      align: 'right',
      cell: ({ at }) => (
        <span className="text-soft">
          <Time at={at} />
        </span>
      ),
    },
  ];
  return (
    <Page title="Security events" description="Changes to keys, members, secrets and settings, and rejected requests.">
      <div className="mb-3">
        <Chips label="Filters">
          <Chip isOn={by === user.id} onChange={(isOn) => change({ by: isOn ? user.id : undefined })}>
            Mine
          </Chip>
          <Chip isOn={action === DENIED} onChange={(isOn) => change({ action: isOn ? DENIED : undefined })}>
            Access denied
          </Chip>
          {Object.entries(PERIODS).map(([value, label]) => (
            <Chip key={value} isOn={period === value} onChange={(isOn) => change({ period: isOn ? value : undefined })}>
              {label}
            </Chip>
          ))}
          <ChipSelect
            label="Event"
            value={action ?? ''}
            onChange={(value) => change({ action: value })}
            options={actionOptions(SPACE_ACTIONS, action)}
          />
          <ChipSelect label="By" value={by ?? ''} onChange={(value) => change({ by: value })} options={people} />
          {isFiltered && (
            <Button
              size="small"
              look="ghost"
              onClick={() => change({ action: undefined, by: undefined, period: undefined })}
            >
              Clear filters
            </Button>
          )}
        </Chips>
      </div>
      <SecurityEventTable
        name="Security events"
        list={list}
        actorOf={(event) => actorName(event, names)}
        columns={columns}
        facts={(event) => [
          ['To', targetName(event, names)],
          ['Id', event.target],
          ['Credential', event.credentialId],
        ]}
        empty={
          <Empty
            title={isFiltered ? 'No events match' : 'No events yet'}
            icon={<ShieldCheck className="size-5" aria-hidden="true" />}
          >
            {isFiltered
              ? 'No event matches these filters.'
              : 'Changes to keys, members, secrets and settings are listed here.'}
          </Empty>
        }
      />
    </Page>
  );
}

/** Members by name, and the platform itself. */
function usePeople(chosen: string | undefined, nameOf: (id: string) => string): Option[] {
  const client = useClient();
  const { space } = useSession();
  const { data } = useQuery({
    queryKey: ['members', space.id, 'first'],
    queryFn: () => client.spaces.members(space.id, { limit: 100 }),
    staleTime: 60_000,
  });
  const members = (data?.items ?? [])
    .filter(({ status }) => status === 'ACTIVE')
    .map(({ userId, name, email }) => ({ value: userId, label: name || email }));
  const all = [{ value: '', label: 'By anyone' }, ...members, { value: 'machine', label: 'Platform' }];
  const isListed = chosen === undefined || all.some(({ value }) => value === chosen);
  return isListed ? all : [...all, { value: chosen, label: nameOf(chosen) }];
}
