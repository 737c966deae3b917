import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Activity } from '@switchyard/client';
import { ActivityIcon, ChevronDown, ChevronRight, Network } from 'lucide-react';
import { useActivity } from '../../api/activity-context';
import { beginOf } from '../../api/period';
import { OUTCOMES, OUTCOME_WORDS, hasEnded, isOutcome, statusesOf, withAny } from '../../api/status';
import { useFilters } from '../../api/use-filters';
import { useList } from '../../api/use-list';
import { useRefresh } from '../../api/use-refresh';
import { useClient, useMay, useSession } from '../../session/session-context';
import { Badge, StatusBadge, type Tone, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { classes } from '../../ui/class-names';
import { Chip, ChipSelect, Chips } from '../../ui/chips';
import { CheckField, type Option } from '../../ui/field';
import { between, compactNumber, number } from '../../ui/format';
import { Page } from '../../ui/page';
import { PeriodChips } from '../../ui/period-chips';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { useMedia } from '../../ui/use-media';
import { NeedsAttention } from './needs-attention';
import { CountsStrip } from './counts-strip';
import { BulkActions } from './bulk-actions';
import { GettingStarted } from './getting-started';
import { useIdleRuns } from './idle-runs';
import { type Line, keyOf, keyOfLine, linesOf, outcomesOf } from './group-runs';
import { KindIcon, useNameOf } from './record-names';
import { RecordAside } from './record-aside';
import { KINDS, activitySearch } from './search-params';
import { Summary } from './summary';
import { useUserChoice } from './use-user-choice';

const TONES: Record<(typeof OUTCOMES)[number], Tone> = {
  failed: 'bad',
  waiting: 'warn',
  running: 'busy',
  done: 'good',
  none: 'none',
};
/** Fewer lines than this of a page of rows, and older rows are read on demand alone: most of them join a line. */
const LEAST_LINES = 0.3;
/** Columns that the open record repeats: its list is narrower. */
const IN_RECORD = new Set(['Took', 'Tokens', 'Causes']);

export function ActivityPage(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const extra: { kind?: string; id?: string } = useParams({ strict: false });
  const { user: me } = useSession();
  const [{ kind, status, user, since, from, to, runs, idle, steps }, change] = useFilters(activitySearch);
  const users = useUserChoice(user);
  const nameOf = useNameOf();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Activity>>(new Map());
  const mayWrite = useMay('MEMBER');
  const [isFirstDayOver, setFirstDayOver] = useState(false);
  const [moved, setMoved] = useState<ReadonlyMap<string, Activity>>(new Map());
  const statuses = useMemo(() => (status ? statusesOf(status) : []), [status]);
  const list = useList(['activity', 'list', kind, status, user, since, from, to], (cursor) =>
    client.activity.list({
      limit: 50,
      cursor,
      ...(kind ? { kind } : {}),
      ...(statuses.length > 0 ? { status: statuses } : {}),
      ...(user ? { userId: user } : {}),
      ...(since ? { from: beginOf(since) } : from ? { from } : {}),
      ...(to && !since ? { to } : {}),
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
      (statuses.length === 0 || statuses.includes(row.status)) &&
      (!user || row.userId === user),
  );
  const idleRuns = useIdleRuns(idle === 'hide');
  const rows = useMemo(
    () => list.rows.map((row) => newer(row, moved.get(keyOf(row)))).filter(({ id }) => !idleRuns.has(id)),
    [list.rows, moved, idleRuns],
  );
  const [openRuns, setOpenRuns] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(rows, runs !== 'each', openRuns), [rows, runs, openRuns]);
  const isDense = list.rows.length > 0 && lines.length < list.rows.length * LEAST_LINES;
  const toggleRuns = ({ key }: Line): void => {
    const next = new Set(openRuns);
    if (!next.delete(key)) next.add(key);
    setOpenRuns(next);
  };
  const kinds = useMemo(() => (kind ? [kind] : []), [kind]);
  const isChosen = ({ row, runs: all }: Line): boolean => (all ?? [row]).every((one) => chosen.has(keyOf(one)));
  const toggle = (line: Line): void => {
    const next = new Map(chosen);
    const isOff = isChosen(line);
    for (const one of line.runs ?? [line.row]) {
      if (isOff) next.delete(keyOf(one));
      else next.set(keyOf(one), one);
    }
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
  const isOpenRecord = (row: Activity): boolean => keyOf(row) === openKey;
  const close = async (): Promise<void> => {
    await navigate({ to: '/activity', search: keepSearch, resetScroll: false });
    // Of a run in a group that is closed, the row of the group.
    const line = lines.find(({ row }) => isOpenRecord(row)) ?? lines.find(({ runs: all }) => all?.some(isOpenRecord));
    const key = line === undefined ? openKey : keyOf(line.row);
    document.querySelector<HTMLElement>(`[data-record="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  };
  const columns: Column<Line>[] = [
    {
      name: 'Name',
      cell: (line) => {
        const { row, runs: all } = line;
        const Arrow = line.isOpen ? ChevronDown : ChevronRight;
        return (
          <span className={classes('flex min-w-0 items-center gap-3', line.isInner && 'pl-7')}>
            <input
              type="checkbox"
              aria-label={all === null ? `Select ${nameOf(row)}` : `Select ${all.length} runs of ${nameOf(row)}`}
              className="size-4 shrink-0 accent-(--accent)"
              checked={isChosen(line)}
              onChange={() => toggle(line)}
            />
            <KindIcon kind={row.kind} />
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
            {all !== null && (
              <button
                type="button"
                aria-expanded={line.isOpen}
                aria-label={`${number(all.length)} runs of ${nameOf(row)}`}
                onClick={() => toggleRuns(line)}
                className="inline-flex min-h-6 shrink-0 items-center gap-0.5 rounded-md px-1.5 text-sm text-soft hover:bg-line hover:text-ink"
              >
                {number(all.length)} runs
                <Arrow className="size-3.5" aria-hidden="true" />
              </button>
            )}
          </span>
        );
      },
    },
    {
      name: 'Status',
      saysItself: true,
      width: '12rem',
      cell: ({ row, runs: all }) =>
        all === null ? (
          <StatusBadge status={row.status} />
        ) : (
          <span className="inline-flex flex-wrap gap-1">
            {outcomesOf(all).map(({ outcome, count }) => (
              <Badge key={outcome} tone={TONES[outcome]}>
                {number(count)} {OUTCOME_WORDS[outcome].toLowerCase()}
              </Badge>
            ))}
          </span>
        ),
    },
    {
      name: 'Took',
      width: '7rem',
      align: 'right',
      cell: ({ row: { startedAt, finishedAt }, runs: all }) => (
        <span className="text-soft">{(all === null ? between(startedAt, finishedAt) : null) ?? '–'}</span>
      ),
    },
    {
      name: 'Tokens',
      width: '6rem',
      align: 'right',
      cell: ({ row, runs: all }) => {
        const counts = (all ?? [row]).flatMap(({ tokens }) => tokens ?? []);
        const sum = counts.reduce((total, tokens) => total + tokens, 0);
        return <span className="text-soft">{counts.length === 0 ? '–' : compactNumber(sum)}</span>;
      },
    },
    {
      name: 'When',
      width: '7rem',
      align: 'right',
      cell: ({ row: { createdAt } }) => (
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
      cell: ({ row }) => (
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
    setFirstDayOver(true);
    change({ steps: undefined });
    void queries.invalidateQueries({ queryKey: ['activity'] });
  };
  const isFiltered = [kind, status, user, since, from, to].some((value) => value !== undefined);
  const showAll = (): void =>
    change({ kind: undefined, status: undefined, user: undefined, since: undefined, from: undefined, to: undefined });
  const isUntouched = !isFiltered && !list.isLoading && list.error === null && list.rows.length === 0;
  const isFirstDay = mayWrite && !isFirstDayOver && (steps !== undefined || isUntouched);
  useEffect(() => {
    // In the URL, so that it stays: its first step is the first thing that happens.
    if (isFirstDay && steps === undefined) change({ steps: 'first' });
  }, [isFirstDay, steps, change]);
  if (isFirstDay) return <GettingStarted onDone={endFirstDay} />;
  return (
    <Page title="Activity" description="Live activity in this Space.">
      <div inert={isCovered}>
        <Summary isReady={!list.isLoading} />
        {!isFiltered && <NeedsAttention isReady={!list.isLoading} />}
        <CountsStrip
          kinds={kinds}
          isReady={!list.isLoading}
          onBrush={(span) => change({ ...span, since: undefined })}
        />
      </div>
      <div inert={isCovered} className="mb-3 grid gap-2">
        <Chips label="Filters">
          <Chip isOn={status === 'failed'} onChange={(isOn) => change({ status: isOn ? 'failed' : undefined })}>
            Failed
          </Chip>
          <Chip isOn={user === me.id} onChange={(isOn) => change({ user: isOn ? me.id : undefined })}>
            Mine
          </Chip>
          <PeriodChips span={{ since, from, to }} onChange={change} />
          <ChipSelect
            label="Kind"
            value={kind ?? ''}
            onChange={(value) => change({ kind: value })}
            options={withAny('All kinds', KINDS)}
          />
          <ChipSelect
            label="Status"
            value={status ?? ''}
            onChange={(value) => change({ status: value })}
            options={statusOptions(status)}
          />
          <ChipSelect label="User" value={user ?? ''} onChange={(value) => change({ user: value })} options={users} />
          {isFiltered && (
            <Button size="small" look="ghost" onClick={showAll}>
              Clear filters
            </Button>
          )}
        </Chips>
        <div className="flex flex-wrap items-center gap-2">
          <Chips label="View">
            <Chip isOn={runs !== 'each'} onChange={(isOn) => change({ runs: isOn ? undefined : 'each' })}>
              Group runs of a task
            </Chip>
            <Chip
              isOn={idle === 'hide'}
              title="Hides scheduled runs whose steps were skipped or only read"
              onChange={(isOn) => change({ idle: isOn ? 'hide' : undefined })}
            >
              Hide idle scheduled runs
            </Chip>
          </Chips>
          <span className="flex-1 max-sm:hidden" />
          {mayWrite && rows.length > 0 && (
            <CheckField label="Select all shown" checked={areAllChosen} onChange={chooseAll} />
          )}
          <BulkActions
            chosen={[...chosen.values()].map((row) => newer(row, moved.get(keyOf(row))))}
            onDone={() => setChosen(new Map())}
          />
        </div>
      </div>
      <div className={classes('grid items-start gap-4', isOpen && 'xl:grid-cols-[minmax(0,1fr)_26rem]')}>
        <div inert={isCovered} className="min-w-0">
          <Table
            name="Activity"
            list={{ ...list, rows: lines, hasMore: list.hasMore && !isDense }}
            columns={isOpen ? columns.filter(({ name }) => !IN_RECORD.has(name)) : columns}
            keyOf={keyOfLine}
            height="max(20rem, calc(100dvh - 27rem))"
            isChosen={({ row, runs: all }) => all === null && keyOf(row) === openKey}
            empty={
              <Empty
                title={isFiltered ? 'No results for these filters' : 'Nothing has happened yet'}
                icon={<ActivityIcon className="size-5" aria-hidden="true" />}
                action={
                  isFiltered ? (
                    <Button onClick={showAll}>Show everything</Button>
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
          {list.hasMore && isDense && (
            <Button className="mt-3" isBusy={list.isLoadingMore} onClick={list.loadMore}>
              Show older records
            </Button>
          )}
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

/** Outcomes, and the exact state that a link names. */
const statusOptions = (chosen: string | undefined): Option[] => [
  { value: '', label: 'All states' },
  ...OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] })),
  ...(chosen === undefined || isOutcome(chosen) ? [] : [{ value: chosen, label: wordsOf(chosen) }]),
];

/** A row that was read may be younger than one that was streamed. */
const newer = (read: Activity, streamed: Activity | undefined): Activity =>
  streamed === undefined || (hasEnded(read.status) && !hasEnded(streamed.status)) ? read : streamed;
