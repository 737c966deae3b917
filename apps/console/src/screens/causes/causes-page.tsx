import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ActivityKind, CauseTree } from '@switchyard/client';
import { ChevronDown, ChevronRight, Lock, ZoomIn, ZoomOut } from 'lucide-react';
import { hasFailed } from '../../api/status';
import { useFilters } from '../../api/use-filters';
import { useRefresh } from '../../api/use-refresh';
import { useClient } from '../../session/session-context';
import { BARS, toneOf, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { classes } from '../../ui/class-names';
import { CheckField } from '../../ui/field';
import { between, cost, duration, exactTime, number } from '../../ui/format';
import { Note } from '../../ui/note';
import { Page } from '../../ui/page';
import { RecordOf } from '../../ui/record';
import { useVirtualRows } from '../../ui/use-virtual-rows';
import { useAgentNames } from '../jobs/use-agent-names';
import { CauseDetails } from './cause-details';
import { nameOf } from './cause-names';
import {
  type Cause,
  type CauseRow,
  TICKS,
  type Window,
  barOf,
  firstFailure,
  rowsOf,
  windowOf,
  withoutDeliveries,
} from './cause-rows';
import { type Gap, type Scale, gapsOf, ownTimeOf, scaleOf } from './cause-time';
import { causesSearch } from './search-params';

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

const ROW_HEIGHT = 41;

/** All of a tree comes at once. */
const listOf = (rows: CauseRow[]) => ({
  rows,
  isLoading: false,
  error: null,
  hasMore: false,
  isLoadingMore: false,
  moreError: null,
  loadMore: () => undefined,
  retry: () => undefined,
});
const keyOfRow = ({ cause }: CauseRow): string => cause.key;

function Causes({ id, data, now }: { id: string; data: CauseTree; now: number }): ReactNode {
  const [{ record: chosen }, change] = useFilters(causesSearch);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const isMoving = useRef(false);
  const [hasDeliveries, setDeliveries] = useState(false);
  const { readName } = useAgentNames();
  const [zoom, setZoom] = useState<string | null>(null);
  const nodes = useMemo(() => (hasDeliveries ? data.nodes : withoutDeliveries(data.nodes)), [data, hasDeliveries]);
  const rows = useMemo(() => rowsOf({ ...data, nodes }, folded), [data, nodes, folded]);
  const failure = useMemo(() => firstFailure(rowsOf(data, new Set())), [data]);
  const failures = data.nodes.filter(({ status }) => hasFailed(status ?? '')).length;
  const whole = useMemo(() => windowOf(data.nodes, now), [data, now]);
  const timeline = useMemo(() => {
    const zoomed = data.nodes.filter(({ key }) => key === zoom);
    const span = zoomed.length === 0 ? whole : windowOf(zoomed, now);
    const gaps = gapsOf(data.nodes, span, now);
    return { span, gaps, scale: scaleOf(span, gaps), now };
  }, [data, zoom, whole, now]);
  const own = data.nodes.find((node) => node.id === id);
  const selected = data.nodes.find(({ key }) => key === chosen) ?? own;
  const active = focused ?? own?.key ?? data.root;
  const activeIndex = rows.findIndex(({ cause }) => cause.key === active);
  const list = useMemo(() => listOf(rows), [rows]);
  const { container, virtual, items, below } = useVirtualRows(list, {
    rowHeight: ROW_HEIGHT,
    keyOf: keyOfRow,
    kept: activeIndex === -1 ? null : activeIndex,
  });
  useEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    container.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(active)}"]`)?.focus();
  }, [active, container]);
  const choose = (key: string): void => {
    setFocused(key);
    change({ record: key });
  };
  /** Selects it, with everything above it unfolded. */
  const lead = ({ key, kind }: Cause): void => {
    if (kind === 'delivery') setDeliveries(true);
    setFolded(new Set());
    isMoving.current = true;
    choose(key);
  };
  const fold = (key: string, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(key);
    else next.delete(key);
    setFolded(next);
  };
  const press = (event: KeyboardEvent): void => {
    const row = rows[activeIndex];
    if (!row) return;
    const to = (next: CauseRow | undefined): void => {
      if (!next || next === row) return;
      isMoving.current = true;
      setFocused(next.cause.key);
    };
    const actions: Record<string, () => void> = {
      ArrowDown: () => to(rows[activeIndex + 1]),
      ArrowUp: () => to(rows[activeIndex - 1]),
      Home: () => to(rows[0]),
      End: () => to(rows.at(-1)),
      ArrowRight: () => (folded.has(row.cause.key) ? fold(row.cause.key, false) : to(rows[activeIndex + 1])),
      ArrowLeft: () =>
        row.hasChildren && !folded.has(row.cause.key)
          ? fold(row.cause.key, true)
          : to(rows.find(({ cause }) => cause.key === row.cause.parentKey)),
      Enter: () => choose(row.cause.key),
      ' ': () => choose(row.cause.key),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
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
          <span>{duration(whole.to - whole.from)}</span>
        </span>
      }
    >
      {data.truncated && (
        <p className="mb-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">Showing the first 1,000 records.</p>
      )}
      {failure && (
        <Note
          tone="bad"
          className="mb-3"
          action={
            <Button size="small" onClick={() => lead(failure)}>
              Show the failure
            </Button>
          }
        >
          {failures === 1 ? '1 record failed' : `${number(failures)} records failed`}. First:{' '}
          <strong dir="auto">{nameOf(failure, readName)}</strong>.
        </Note>
      )}
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Button
          size="small"
          icon={<ZoomIn className="size-4" aria-hidden="true" />}
          disabled={!selected?.startedAt || selected.key === zoom}
          onClick={() => setZoom(selected?.key ?? null)}
        >
          Zoom to selected
        </Button>
        <Button
          size="small"
          icon={<ZoomOut className="size-4" aria-hidden="true" />}
          disabled={zoom === null}
          onClick={() => setZoom(null)}
        >
          Show all
        </Button>
        {data.nodes.some(({ kind }) => kind === 'delivery') && (
          <CheckField label="Show deliveries" checked={hasDeliveries} onChange={setDeliveries} />
        )}
        {timeline.gaps.length > 0 && (
          <span className="text-sm text-faint">
            Compressed: {timeline.gaps.map(({ from, to }) => duration(to - from)).join(', ')} without a call.
          </span>
        )}
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[1fr_26rem]">
        <div className="card min-w-0 overflow-hidden">
          <Axis timeline={timeline} />
          <div
            ref={container}
            role="tree"
            aria-label="Causes"
            onKeyDown={press}
            className="max-h-[calc(100dvh-14rem)] min-h-24 overflow-auto"
          >
            {items.map(({ index, key, gap }) => {
              const row = rows[index];
              if (row === undefined) return null;
              const { cause } = row;
              return (
                <Fragment key={key}>
                  {gap > 0 && <div aria-hidden="true" style={{ height: gap }} />}
                  <div ref={virtual.measureElement} data-index={index} role="presentation">
                    <TreeItem
                      row={row}
                      name={nameOf(cause, readName)}
                      isFolded={folded.has(cause.key)}
                      isOwn={cause.id === id}
                      isSelected={selected?.key === cause.key}
                      isActive={active === cause.key}
                      timeline={timeline}
                      ownTime={row.hasChildren ? ownTimeOf(cause, data.nodes, now) : null}
                      onChoose={() => choose(cause.key)}
                      onFold={(isFolded) => fold(cause.key, isFolded)}
                    />
                  </div>
                </Fragment>
              );
            })}
            {below > 0 && <div aria-hidden="true" style={{ height: below }} />}
          </div>
        </div>
        {selected && (
          <CauseDetails
            cause={selected}
            name={nameOf(selected, readName)}
            above={data.nodes.find(({ key }) => key === selected.parentKey)}
            ownTime={ownTimeOf(selected, data.nodes, now)}
          />
        )}
      </div>
    </Page>
  );
}

interface Timeline {
  span: Window;
  gaps: readonly Gap[];
  scale: Scale;
  now: number;
}

/** How far from the start of it all: over the bars, at the right or, where there is no room, across. */
const Axis = ({ timeline: { span, scale } }: { timeline: Timeline }): ReactNode => (
  <div
    aria-hidden="true"
    className="flex flex-wrap items-end gap-y-1 border-b border-line px-3 py-2 text-xs font-medium text-faint"
  >
    <span className="flex-1 basis-full sm:basis-0" title={exactTime(new Date(span.from).toISOString())}>
      Record, from {exactTime(new Date(span.from).toISOString())}
    </span>
    <span className="w-full pr-16 font-normal sm:w-[45%] 2xl:pr-36">
      <span className="relative block h-4">
        {TICKS.map((share, index) => (
          <span
            key={index}
            className={classes(
              'absolute whitespace-nowrap',
              index > 0 && '-translate-x-1/2',
              index % 2 === 1 && 'max-2xl:hidden',
            )}
            style={{ left: `${share * 100}%` }}
          >
            {index === 0 ? '0' : duration(scale.timeAt(share) - span.from)}
          </span>
        ))}
      </span>
    </span>
  </div>
);

interface ItemProps {
  row: CauseRow;
  name: string;
  isFolded: boolean;
  isOwn: boolean;
  isSelected: boolean;
  isActive: boolean;
  timeline: Timeline;
  /** Without the records below it; null where there are none. */
  ownTime: number | null;
  onChoose: () => void;
  onFold: (isFolded: boolean) => void;
}

function TreeItem(props: ItemProps): ReactNode {
  const { row, name, isFolded, isOwn, isSelected, isActive, timeline, ownTime, onChoose, onFold } = props;
  const { cause, level, hasChildren } = row;
  const { span, gaps, scale, now } = timeline;
  const bar = barOf(cause, span, scale, now);
  const took = between(cause.startedAt, cause.finishedAt);
  const Arrow = isFolded ? ChevronRight : ChevronDown;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      {...(hasChildren ? { 'aria-expanded': !isFolded } : {})}
      data-key={cause.key}
      tabIndex={isActive ? 0 : -1}
      onClick={onChoose}
      className={classes(
        'flex cursor-default flex-wrap items-center border-b border-line bg-surface px-3 py-2 outline-offset-[-2px] hover:bg-sunken',
        isSelected && 'bg-accent-soft!',
      )}
    >
      <div
        className="flex min-w-0 flex-1 basis-full items-center gap-1.5 sm:basis-0"
        style={{ paddingLeft: `${Math.min(level - 1, 12) * 1.1}rem` }}
      >
        <span
          className="grid size-6 shrink-0 place-items-center"
          aria-hidden="true"
          onClick={(event) => {
            if (!hasChildren) return;
            event.stopPropagation();
            onFold(!isFolded);
          }}
        >
          {hasChildren && <Arrow className="size-4 text-faint" />}
          {cause.hidden === true && <Lock className="size-3.5 text-faint" />}
        </span>
        <span className={classes('truncate', isOwn && 'font-semibold')} dir="auto">
          {name}
        </span>
        {name !== wordsOf(cause.kind) && <span className="shrink-0 text-xs text-faint">{wordsOf(cause.kind)}</span>}
        {/* What the bar shows, in words. */}
        <span className="sr-only">
          {cause.status ? wordsOf(cause.status) : null} {took}
        </span>
      </div>
      <div className="h-5 w-full bg-inherit pr-16 sm:w-[45%] 2xl:pr-36" aria-hidden="true">
        {bar && (
          // The duration is shown to the right of the bar, over the lines of a gap.
          <div className="relative bg-inherit">
            {gaps.map((gap) => (
              <div
                key={gap.from}
                className="absolute top-0 h-5 border-x border-dashed border-line-strong"
                style={{ left: `${scale.at(gap.from)}%`, width: `${scale.at(gap.to) - scale.at(gap.from)}%` }}
              />
            ))}
            <div
              className={classes('absolute top-1.5 h-2 rounded-full', BARS[toneOf(cause.status ?? '')])}
              style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
            />
            <span
              className="absolute top-0 bg-inherit px-1.5 text-xs whitespace-nowrap text-faint"
              style={{ left: `${bar.left + bar.width}%` }}
            >
              {took}
              {ownTime !== null && took !== null && <span className="max-2xl:hidden"> · own {duration(ownTime)}</span>}
            </span>
          </div>
        )}
      </div>
    </div>
  );
}
