import { Injectable } from '@nestjs/common';
import type { UsageGroup, UsageGroupRow } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type Span, edgeDays, isSome, usageParts, wholeHours } from '../domain/usage-period-split';
import { type Summed, VALUES, readSummed } from './usage-group-keys';

export interface UsageRange {
  from: string | null;
  to: string | null;
  groupBy: UsageGroup;
}

/** Usage in a period: whole days and hours from their sums, the rest from the ledger. */
@Injectable()
export class UsageRepository {
  /** `tx` must be a snapshot: a sum that is made meanwhile would count twice what it takes from the ledger. */
  async usage(tx: Tx, spaceId: string, range: UsageRange): Promise<UsageGroupRow[]> {
    const hours = wholeHours(range.from, range.to);
    const summed = await readSummed(tx, spaceId, edgeDays(hours).map(timeOf));
    const parts = new PartsSql(spaceId, range.groupBy);
    addParts(parts, range, hours, summed);
    const rows = await tx.query<Omit<UsageGroupRow, 'cost'> & { cost: string }>(
      `select "group", sum(calls)::bigint as calls, coalesce(sum(prompt_tokens), 0)::bigint as prompt_tokens,
         coalesce(sum(completion_tokens), 0)::bigint as completion_tokens, sum(tokens)::bigint as tokens,
         coalesce(sum(cost), 0) as cost
       from (${parts.sql}) parts
       group by 1 order by ${range.groupBy === 'day' ? '1' : 'tokens desc, 1'} limit 10000`,
      parts.params,
    );
    return rows.map((row) => ({ ...row, cost: Number(row.cost) }));
  }
}

function addParts(parts: PartsSql, { from, to }: UsageRange, whole: Span, { until, last, busyDays }: Summed): void {
  const busy = new Set(busyDays.map(Number));
  const { summed, days, hours } = usageParts(whole, (day) => busy.has(day));
  if (until === 0 || !isSome(summed)) {
    parts.addEntries(from, to);
    return;
  }
  if (isSome(days)) parts.addSums('day', days);
  for (const span of hours) parts.addSums('hour', span);
  if (from !== null) parts.addEntries(from, timeOf(summed.from));
  if (to !== null) parts.addEntries(timeOf(summed.to), to);
  if (last > until) parts.addEntries(timeOf(summed.from), timeOf(summed.to), { after: until, last });
}

const timeOf = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString() : ms < 0 ? '-infinity' : 'infinity';

/**
 * The statement of the parts that a range is made of. It is planned for its values: a plan for any would have to guess
 * how much of the ledger a part is, and read all of it.
 */
class PartsSql {
  readonly params: unknown[];
  private readonly parts: string[] = [];

  constructor(
    spaceId: string,
    private readonly groupBy: UsageGroup,
  ) {
    this.params = [spaceId];
  }

  get sql(): string {
    return this.parts.join(' union all ');
  }

  addSums(grain: 'day' | 'hour', { from, to }: Span): void {
    this.parts.push(
      `select ${this.groupOf('start', 'value')} as "group", calls, prompt_tokens, completion_tokens, tokens, cost
       from usage_sums where space_id = $1 and dimension = ${this.param(this.groupBy)} and grain = '${grain}'
         and start >= ${this.param(timeOf(from))}::timestamptz and start < ${this.param(timeOf(to))}::timestamptz`,
    );
  }

  /** Entries of a time; with `seqs`, only those written after the last sum. */
  addEntries(from: string | null, to: string | null, seqs?: { after: number; last: number }): void {
    const conditions = [
      ...(from === null ? [] : [`created_at >= ${this.param(from)}::timestamptz`]),
      ...(to === null ? [] : [`created_at < ${this.param(to)}::timestamptz`]),
      ...(seqs ? [`seq > ${this.param(seqs.after)} and seq <= ${this.param(seqs.last)}`] : []),
    ];
    this.parts.push(
      `select ${this.groupOf('created_at', VALUES[this.groupBy])} as "group", 1 as calls, prompt_tokens,
         completion_tokens, -tokens as tokens, cost
       from ledger where ${["space_id = $1 and type = 'SETTLEMENT'", ...conditions].join(' and ')}`,
    );
  }

  private groupOf(time: string, value: string): string {
    return this.groupBy === 'day' ? `to_char(${time} at time zone 'utc', 'YYYY-MM-DD')` : value;
  }

  private param(value: unknown): string {
    return `$${this.params.push(value)}`;
  }
}
