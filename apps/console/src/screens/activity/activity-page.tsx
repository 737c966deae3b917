import { type ReactNode, useMemo, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Activity, ActivityKind } from '@switchyard/client';
import { ActivityIcon, Bot, Briefcase, ListChecks, Network, X, Zap } from 'lucide-react';
import { useActivity } from '../../api/activity-context';
import { STATUSES, hasEnded, withAny } from '../../api/status';
import { useFilters } from '../../api/use-filters';
import { useList } from '../../api/use-list';
import { useRefresh } from '../../api/use-refresh';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { classes } from '../../ui/class-names';
import { CheckField, SelectField } from '../../ui/field';
import { between, compactNumber } from '../../ui/format';
import { InstantField } from '../../ui/instant-field';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { useMedia } from '../../ui/use-media';
import { CountsStrip } from './counts-strip';
import { BulkActions } from './deeds';
import { FirstDay } from './first-day';
import { RecordAside } from './record-aside';
import { KINDS, activitySearch } from './search';
import { useUserChoice } from './use-user-choice';

const ICONS: Record<ActivityKind, typeof Bot> = { turn: Bot, execution: ListChecks, job: Briefcase, emission: Zap };
/** Columns that the open record repeats: its list is narrower. */
const IN_RECORD = new Set(['Took', 'Tokens', 'Causes']);
const keyOf = ({ kind, id }: Activity): string => `${kind}:${id}`;

export function ActivityPage(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const extra: { kind?: string; id?: string } = useParams({ strict: false });
  const [{ kind, status, user, from, to }, change] = useFilters(activitySearch);
  const users = useUserChoice(user);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Activity>>(new Map());
  const mayWrite = useMay('MEMBER');
  const [firstDay, setFirstDay] = useState<'not yet' | 'now' | 'over'>('not yet');
  const [moved, setMoved] = useState<ReadonlyMap<string, Activity>>(new Map());
  const list = useList(['activity', 'list', kind, status, user, from, to], (cursor) =>
    client.activity.list({
      limit: 50,
      cursor,
      ...(kind ? { kind } : {}),
      ...(status ? { status } : {}),
      ...(user ? { userId: user } : {}),
      ...(from ? { from } : {}),
      ...(to ? { to } : {}),
    }),
  );
  const ids = useMemo(() => new Set(list.rows.map(keyOf)), [list.rows]);
  // Rows on the page are updated in place; new rows appear with the next fetch.
  useActivity((row) => {
    if (row !== null && ids.has(keyOf(row))) setMoved((before) => new Map(before).set(keyOf(row), row));
  });
  useRefresh(
    ['activity', 'list'],
    (row) =>
      !ids.has(keyOf(row)) &&
      (!kind || row.kind === kind) &&
      (!status || row.status === status) &&
      (!user || row.userId === user),
  );
  const rows = useMemo(() => list.rows.map((row) => newer(row, moved.get(keyOf(row)))), [list.rows, moved]);
  const kinds = useMemo(() => (kind ? [kind] : []), [kind]);
  const toggle = (row: Activity): void => {
    const next = new Map(chosen);
    if (!next.delete(keyOf(row))) next.set(keyOf(row), row);
    setChosen(next);
  };
  const areAllChosen = rows.length > 0 && rows.every((row) => chosen.has(keyOf(row)));
  const chooseAll = (isChosen: boolean): void =>
    setChosen(new Map(isChosen ? rows.map((row) => [keyOf(row), row]) : []));
  const open = KINDS.find((existing) => existing === extra.kind);
  const isOpen = open !== undefined && extra.id !== undefined;
  // On a phone the record covers the list: nothing that is not seen has the focus.
  const isCovered = useMedia('(width < 40rem)') && isOpen;
  const openKey = `${extra.kind}:${extra.id}`;
  const close = async (): Promise<void> => {
    await navigate({ to: '/activity', search: keepSearch, resetScroll: false });
    document.querySelector<HTMLElement>(`[data-record="${CSS.escape(openKey)}"]`)?.focus({ preventScroll: true });
  };
  const columns: Column<Activity>[] = [
    {
      name: 'Name',
      cell: (row) => {
        const Icon = ICONS[row.kind];
        return (
          <span className="flex min-w-0 items-center gap-3">
            <input
              type="checkbox"
              aria-label={`Select ${nameOf(row)}`}
              className="size-4 shrink-0 accent-(--accent)"
              checked={chosen.has(keyOf(row))}
              onChange={() => toggle(row)}
            />
            <Icon className="size-4 shrink-0 text-faint" aria-label={row.kind} />
            <Link
              to={`/activity/${keyOf(row).replace(':', '/')}`}
              search={keepSearch}
              resetScroll={false}
              data-record={keyOf(row)}
              className="truncate font-medium hover:underline"
              dir="auto"
            >
              {nameOf(row)}
            </Link>
          </span>
        );
      },
    },
    { name: 'Status', saysItself: true, width: '10rem', cell: ({ status: state }) => <StatusBadge status={state} /> },
    {
      name: 'Took',
      width: '7rem',
      align: 'right',
      cell: ({ startedAt, finishedAt }) => <span className="text-soft">{between(startedAt, finishedAt) ?? '–'}</span>,
    },
    {
      name: 'Tokens',
      width: '6rem',
      align: 'right',
      cell: ({ tokens }) => <span className="text-soft">{tokens === null ? '–' : compactNumber(tokens)}</span>,
    },
    {
      name: 'When',
      width: '7rem',
      align: 'right',
      cell: ({ createdAt }) => (
        <span className="text-soft">
          <Time at={createdAt} />
        </span>
      ),
    },
    {
      name: 'Causes',
      saysItself: true,
      width: '5rem',
      align: 'right',
      cell: (row) => (
        <Link
          to={`/causes/${row.kind}/${row.id}`}
          aria-label={`Causes of ${nameOf(row)}`}
          title="Causes"
          className="inline-grid size-7 place-items-center rounded-md text-faint hover:bg-line hover:text-ink"
        >
          <Network className="size-4" aria-hidden="true" />
        </Link>
      ),
    },
  ];
  const endFirstDay = (): void => {
    setFirstDay('over');
    void queries.invalidateQueries({ queryKey: ['activity'] });
  };
  const isFiltered = [kind, status, user, from, to].some((value) => value !== undefined);
  const isUntouched = !isFiltered && !list.isLoading && list.error === null && list.rows.length === 0;
  // It stays until one is done with it: its first step is the first thing that happens.
  if (mayWrite && isUntouched && firstDay === 'not yet') setFirstDay('now');
  if (firstDay === 'now') return <FirstDay onDone={endFirstDay} />;
  return (
    <Page title="Activity" description="Live activity in this Space.">
      <div inert={isCovered}>
        <CountsStrip kinds={kinds} isReady={!list.isLoading} onBrush={(span) => change(span)} />
      </div>
      <div inert={isCovered} className="mb-3 flex flex-wrap items-end gap-2">
        <SelectField
          label="Kind"
          hideLabel
          value={kind ?? ''}
          onChange={(value) => change({ kind: value })}
          options={withAny('All kinds', KINDS)}
          className="w-36"
        />
        <SelectField
          label="Status"
          hideLabel
          value={status ?? ''}
          onChange={(value) => change({ status: value })}
          options={withAny('All states', STATUSES)}
          className="w-40"
        />
        <SelectField
          label="User"
          hideLabel
          value={user ?? ''}
          onChange={(value) => change({ user: value })}
          options={users}
          className="w-40"
        />
        <div className="flex flex-wrap gap-2">
          <InstantField label="From" value={from} onChange={(value) => change({ from: value })} />
          <InstantField label="To" value={to} onChange={(value) => change({ to: value })} />
        </div>
        {(from !== undefined || to !== undefined) && (
          <Button
            icon={<X className="size-3.5" aria-hidden="true" />}
            onClick={() => change({ from: undefined, to: undefined })}
          >
            Any time
          </Button>
        )}
        <span className="flex-1 max-sm:hidden" />
        {mayWrite && rows.length > 0 && (
          <CheckField label="Select all shown" checked={areAllChosen} onChange={chooseAll} />
        )}
        <BulkActions
          chosen={[...chosen.values()].map((row) => newer(row, moved.get(keyOf(row))))}
          onDone={() => setChosen(new Map())}
        />
      </div>
      <div className={classes('grid items-start gap-4', isOpen && 'xl:grid-cols-[minmax(0,1fr)_26rem]')}>
        <div inert={isCovered} className="min-w-0">
          <Table
            name="Activity"
            list={{ ...list, rows }}
            columns={isOpen ? columns.filter(({ name }) => !IN_RECORD.has(name)) : columns}
            keyOf={keyOf}
            height="max(20rem, calc(100dvh - 27rem))"
            isChosen={(row) => keyOf(row) === openKey}
            empty={
              <Empty
                title={isFiltered ? 'No results for these filters' : 'Nothing has happened yet'}
                icon={<ActivityIcon className="size-5" aria-hidden="true" />}
                action={
                  isFiltered ? (
                    <Button
                      onClick={() =>
                        change({ kind: undefined, status: undefined, user: undefined, from: undefined, to: undefined })
                      }
                    >
                      Show everything
                    </Button>
                  ) : (
                    <Link to="/chat" className="rounded-lg bg-accent px-3 py-1.5 font-medium text-on-accent">
                      Start a chat
                    </Link>
                  )
                }
              >
                {isFiltered
                  ? 'No record matches these filters.'
                  : 'Turns of agents, executions of tasks, jobs and emitted events appear here as they happen.'}
              </Empty>
            }
          />
        </div>
        {open && extra.id && (
          <RecordAside
            kind={open}
            id={extra.id}
            row={rows.find((row) => keyOf(row) === openKey) ?? null}
            onClose={() => void close()}
          />
        )}
      </div>
    </Page>
  );
}

type Search = Record<string, unknown>;
/** Another record at the side is shown with the same filters. */
const keepSearch = (search: Search): Search => search;

const nameOf = ({ name, kind }: Activity): string => (name === null || name.trim() === '' ? wordsOf(kind) : name);

/** A row that was read may be younger than one that was streamed. */
const newer = (read: Activity, streamed: Activity | undefined): Activity =>
  streamed === undefined || (hasEnded(read.status) && !hasEnded(streamed.status)) ? read : streamed;
