import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ActivityKind, CauseTree } from '@switchyard/client';
import { ChevronDown, ChevronRight, Lock } from 'lucide-react';
import { pageOf } from '../../api/record-links';
import { useRefresh } from '../../api/use-refresh';
import { useClient } from '../../session/session-context';
import { BARS, StatusBadge, toneOf, wordsOf } from '../../ui/badge';
import { classes } from '../../ui/class-names';
import { between, cost, duration, exactTime, number } from '../../ui/format';
import { Page } from '../../ui/page';
import { RecordOf } from '../../ui/record';
import { type Cause, type CauseRow, barOf, rowsOf, windowOf } from './cause-rows';

const nameOf = ({ name, kind, hidden }: Cause): string => (hidden === true ? 'Private' : name || wordsOf(kind));

const crumbs = [{ label: 'Activity', to: '/activity' }];

/** Everything that a record goes back to and led to: a tree, and beside it when each was. */
export function CausesPage(): ReactNode {
  const { kind = '', id = '' }: { kind?: string; id?: string } = useParams({ strict: false });
  const client = useClient();
  const query = useQuery({
    queryKey: ['causes', kind, id],
    queryFn: () => client.activity.causes(kind as ActivityKind, id),
  });
  useRefresh(
    ['causes', kind, id],
    (row) => query.data?.nodes.some((node) => node.id === row.id || node.id === row.causationId) ?? false,
  );
  return (
    <RecordOf query={query} noun="causes" crumbs={crumbs}>
      {(data) => <Causes key={`${kind}:${id}`} id={id} data={data} now={query.dataUpdatedAt} />}
    </RecordOf>
  );
}

function Causes({ id, data, now }: { id: string; data: CauseTree; now: number }): ReactNode {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(data, folded), [data, folded]);
  const span = useMemo(() => windowOf(data.nodes, now), [data, now]);
  const own = data.nodes.find((node) => node.id === id);
  const selected = data.nodes.find(({ key }) => key === chosen) ?? own;
  const active = focused ?? own?.key ?? data.root;
  const fold = (key: string, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(key);
    else next.delete(key);
    setFolded(next);
  };
  const move = (key: string): void => {
    setFocused(key);
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    const place = rows.findIndex(({ cause }) => cause.key === active);
    const row = rows[place];
    if (!row) return;
    const to = (next: CauseRow | undefined): void => {
      if (next) move(next.cause.key);
    };
    const deeds: Record<string, () => void> = {
      ArrowDown: () => to(rows[place + 1]),
      ArrowUp: () => to(rows[place - 1]),
      Home: () => to(rows[0]),
      End: () => to(rows.at(-1)),
      ArrowRight: () => (folded.has(row.cause.key) ? fold(row.cause.key, false) : to(rows[place + 1])),
      ArrowLeft: () =>
        row.hasChildren && !folded.has(row.cause.key)
          ? fold(row.cause.key, true)
          : to(rows.find(({ cause }) => cause.key === row.cause.parentKey)),
      Enter: () => setChosen(row.cause.key),
      ' ': () => setChosen(row.cause.key),
    };
    const deed = deeds[event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  };
  return (
    <Page
      title="Causes"
      crumbs={crumbs}
      description={
        <span className="flex flex-wrap gap-x-4">
          <span>{data.nodes.length === 1 ? '1 record' : `${number(data.nodes.length)} records`}</span>
          <span>{number(data.totals.tokens)} tokens</span>
          <span>{cost(data.totals.cost)}</span>
          <span>{duration(span.to - span.from)}</span>
        </span>
      }
    >
      {data.truncated && (
        <p className="mb-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">Showing the first 1,000 records.</p>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[1fr_20rem]">
        <div className="card overflow-hidden">
          <div aria-hidden="true" className="flex border-b border-line px-3 py-2 text-xs font-medium text-faint">
            <span className="flex-1">Record</span>
            <span className="w-[45%] max-sm:hidden">{exactTime(new Date(span.from).toISOString())}</span>
          </div>
          <div ref={tree} role="tree" aria-label="Causes" onKeyDown={press}>
            {rows.map((row) => {
              const { cause, level, hasChildren } = row;
              const bar = barOf(cause, span, now);
              const took = between(cause.startedAt, cause.finishedAt);
              const isFolded = folded.has(cause.key);
              const Arrow = isFolded ? ChevronRight : ChevronDown;
              return (
                <div
                  key={cause.key}
                  role="treeitem"
                  aria-level={level}
                  aria-selected={selected?.key === cause.key}
                  {...(hasChildren ? { 'aria-expanded': !isFolded } : {})}
                  data-key={cause.key}
                  tabIndex={active === cause.key ? 0 : -1}
                  onClick={() => {
                    setChosen(cause.key);
                    setFocused(cause.key);
                  }}
                  className={classes(
                    'flex cursor-default items-center border-b border-line px-3 py-2 outline-offset-[-2px] last:border-b-0 hover:bg-sunken',
                    selected?.key === cause.key && 'bg-accent-soft!',
                  )}
                >
                  <div
                    className="flex min-w-0 flex-1 items-center gap-1.5"
                    style={{ paddingLeft: `${Math.min(level - 1, 12) * 1.1}rem` }}
                  >
                    <span
                      className="grid size-6 shrink-0 place-items-center"
                      aria-hidden="true"
                      onClick={(event) => {
                        if (!hasChildren) return;
                        event.stopPropagation();
                        fold(cause.key, !isFolded);
                      }}
                    >
                      {hasChildren && <Arrow className="size-4 text-faint" />}
                      {cause.hidden === true && <Lock className="size-3.5 text-faint" />}
                    </span>
                    <span className={classes('truncate', cause.id === id && 'font-semibold')} dir="auto">
                      {nameOf(cause)}
                    </span>
                    {nameOf(cause) !== wordsOf(cause.kind) && (
                      <span className="shrink-0 text-xs text-faint">{wordsOf(cause.kind)}</span>
                    )}
                    {/* What the bar shows, where it is not seen: in words, and on a phone to everybody. */}
                    <span className="sr-only">{cause.status ? wordsOf(cause.status) : null}</span>
                    <span className="ml-auto shrink-0 text-xs text-faint sm:sr-only">{took}</span>
                  </div>
                  <div className="h-5 w-[45%] pr-16 max-sm:hidden" aria-hidden="true">
                    {bar && (
                      // What a bar took stands behind it, in the room at the right.
                      <div className="relative">
                        <div
                          className={classes('absolute top-1.5 h-2 rounded-full', BARS[toneOf(cause.status ?? '')])}
                          style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
                        />
                        <span
                          className="absolute top-0 px-1.5 text-xs whitespace-nowrap text-faint"
                          style={{ left: `${bar.left + bar.width}%` }}
                        >
                          {took}
                        </span>
                      </div>
                    )}
                  </div>
                </div>
              );
            })}
          </div>
        </div>
        {selected && <Details cause={selected} />}
      </div>
    </Page>
  );
}

function Details({ cause }: { cause: Cause }): ReactNode {
  const page = linkOf(cause);
  const facts: [string, ReactNode][] = [
    ['Kind', wordsOf(cause.kind)],
    ['Status', cause.status ? <StatusBadge key="status" status={cause.status} /> : '–'],
    ['Started', cause.startedAt ? exactTime(cause.startedAt) : '–'],
    ['Took', between(cause.startedAt, cause.finishedAt) ?? '–'],
    ['Tokens', cause.tokens === null || cause.tokens === undefined ? '–' : number(cause.tokens)],
    ['Cost', cause.cost === null || cause.cost === undefined ? '–' : cost(cause.cost)],
  ];
  return (
    <aside aria-label="Selected record" className="card p-4">
      <h2 className="mb-3 font-semibold wrap-anywhere" dir="auto">
        {nameOf(cause)}
      </h2>
      {cause.hidden === true ? (
        <p className="text-soft">You do not have access to this record.</p>
      ) : (
        <>
          <dl className="grid grid-cols-[5rem_1fr] gap-y-1.5">
            {facts.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-faint">{name}</dt>
                <dd className="min-w-0">{value}</dd>
              </div>
            ))}
          </dl>
          {page !== null && (
            <Link to={page} className="mt-4 inline-block font-medium text-accent underline-offset-2 hover:underline">
              Open it
            </Link>
          )}
        </>
      )}
    </aside>
  );
}

const KINDS = new Set<string>(['execution', 'job', 'emission']);

/** Steps and calls have no page of their own: their record is above them in the tree. */
function linkOf({ kind, id }: Cause): string | null {
  return id === null || !KINDS.has(kind) ? null : pageOf({ kind: kind as ActivityKind, id, sessionId: null });
}
