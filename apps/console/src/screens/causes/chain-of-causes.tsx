import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ActivityKind, CauseTree } from '@switchyard/client';
import { CornerDownRight } from 'lucide-react';
import { useRefresh } from '../../api/use-refresh';
import { useClient } from '../../session/session-context';
import { StatusBadge, wordsOf } from '../../ui/badge';
import { classes } from '../../ui/class-names';
import { between, cost, number } from '../../ui/format';
import { Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { useAgentNames } from '../jobs/use-agent-names';
import { linkOf, nameOf } from './cause-names';
import { type CauseRow, branchOf } from './cause-rows';

const MAX_SHOWN = 40;
const STEP_REM = 1.25;

/** Causes and effects of a record, on its page. */
export function ChainOfCauses({ kind, id }: { kind: ActivityKind; id: string }): ReactNode {
  const client = useClient();
  const query = useQuery({ queryKey: ['causes', kind, id], queryFn: () => client.activity.causes(kind, id) });
  useRefresh(
    ['causes', kind, id],
    (row) => query.data?.nodes.some((node) => node.id === row.id || node.id === row.causationId) ?? row.id === id,
  );
  return (
    <Section
      title="Chain of causes"
      actions={
        <Link to={`/causes/${kind}/${id}`} className="text-sm text-accent underline-offset-2 hover:underline">
          As a waterfall
        </Link>
      }
    >
      {query.data ? (
        <Branch tree={query.data} id={id} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loading label="Loading the chain of causes" />
      )}
    </Section>
  );
}

function Branch({ tree, id }: { tree: CauseTree; id: string }): ReactNode {
  const { readName } = useAgentNames();
  const rows = branchOf(tree, id);
  const more = rows.length - MAX_SHOWN;
  const { tokens, cost: spent } = tree.totals;
  return (
    <>
      <ol aria-label="Chain of causes" className="grid divide-y divide-line">
        {rows.slice(0, MAX_SHOWN).map((row) => (
          <Cause key={row.cause.key} row={row} name={nameOf(row.cause, readName)} isOwn={row.cause.id === id} />
        ))}
      </ol>
      <p className="mt-3 text-sm text-faint">
        {more > 0 && `${number(more)} more are in the waterfall. `}
        The whole tree took {number(tokens)} tokens, {cost(spent)}.
      </p>
    </>
  );
}

function Cause({ row: { cause, level }, name, isOwn }: { row: CauseRow; name: string; isOwn: boolean }): ReactNode {
  const page = isOwn ? null : linkOf(cause);
  const indent = `${Math.min(level - 1, 8) * STEP_REM}rem`;
  return (
    <li
      className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 first:pt-0 last:pb-0"
      {...(isOwn ? { 'aria-current': 'true' as const } : {})}
    >
      <span
        className="flex min-w-0 flex-1 items-center gap-1.5"
        style={{ paddingLeft: indent, flexBasis: `calc(11rem + ${indent})` }}
      >
        {level > 1 && <CornerDownRight className="size-3.5 shrink-0 text-faint" aria-hidden="true" />}
        {page === null ? (
          <span className={classes('min-w-0 wrap-anywhere', isOwn && 'font-semibold')} dir="auto">
            {name}
          </span>
        ) : (
          <Link to={page} className="min-w-0 wrap-anywhere text-accent hover:underline" dir="auto">
            {name}
          </Link>
        )}
        {name !== wordsOf(cause.kind) && <span className="shrink-0 text-xs text-faint">{wordsOf(cause.kind)}</span>}
      </span>
      <span className="ml-auto flex items-center gap-x-3">
        <span className="text-sm text-faint tabular-nums">{between(cause.startedAt, cause.finishedAt)}</span>
        {cause.status && <StatusBadge status={cause.status} />}
      </span>
    </li>
  );
}
