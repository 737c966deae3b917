import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Execution } from '@switchyard/client';
import { useClient } from '../../session/session-context';

/** Steps that change nothing outside of their run. */
const QUIET: ReadonlySet<string> = new Set(['transform', 'wait']);
const READS: ReadonlySet<string> = new Set(['query', 'count', 'search', 'GET', 'HEAD', 'undefined']);

/** A run that looked and found nothing to do: its steps were skipped, or only read. */
export function didNothing({ status, steps }: Pick<Execution, 'status' | 'steps'>): boolean {
  if (status === 'SKIPPED') return true;
  if (status !== 'SUCCEEDED' || steps.every((step) => step.status !== 'SKIPPED')) return false;
  return steps.every((step) => step.status === 'SKIPPED' || QUIET.has(step.type) || isReading(step));
}

function isReading({ type, input }: Execution['steps'][number]): boolean {
  if (typeof input !== 'object' || input === null) return false;
  const fields = input as { operation?: unknown; method?: unknown };
  if (type === 'dataset') return READS.has(String(fields.operation));
  return type === 'http' && READS.has(String(fields.method));
}

const PAGE = 100;
const MAX_PAGES = 3;
const NONE: ReadonlySet<string> = new Set();

/** Ids of the newest scheduled runs that did nothing. */
export function useIdleRuns(enabled: boolean): ReadonlySet<string> {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['activity', 'list', 'idle'],
    queryFn: async () => {
      const found: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const { items, nextCursor } = await client.tasks.executions({ trigger: 'SCHEDULE', limit: PAGE, cursor });
        found.push(...items.filter(didNothing).map(({ id }) => id));
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      return found;
    },
    enabled,
  });
  return useMemo(() => (enabled && data ? new Set(data) : NONE), [enabled, data]);
}
