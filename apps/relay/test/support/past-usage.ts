import type { TestPlatform } from '@switchyard/testing';

/** The group key of the calls, by column. */
const GROUPS = {
  day: `to_char(created_at at time zone 'utc', 'YYYY-MM-DD')`,
  model: 'model',
  agent: 'agent_id::text',
  user: 'user_id::text',
  key: 'key_id',
  source: 'source',
};

export type UsageGroup = keyof typeof GROUPS;

export interface Range {
  from?: string;
  to?: string;
}

/** Entries of the past, of few of each kind, some of none and some of an empty name; between them a credit. */
export async function addEntries(
  { database }: TestPlatform,
  spaceId: string,
  { from, to }: Required<Range>,
  count: number,
): Promise<void> {
  await database.query(
    `insert into relay.ledger (space_id, id, type, tokens, balance_after, source, agent_id, user_id, key_id, model,
                               prompt_tokens, completion_tokens, cost, created_at)
     select $1, gen_random_uuid(), case when n % 50 = 7 then 'CREDIT' else 'SETTLEMENT' end, -n, 0,
       case when n % 3 = 0 then 'relay' else 'agent' end, case when n % 3 > 0 then md5('agent ' || n % 3)::uuid end,
       case when n % 5 > 0 then md5('user ' || n % 5)::uuid end, case when n % 4 > 1 then 'key-' || n % 4 end,
       case n % 7 when 0 then null when 1 then '' else 'model-' || n % 7 end, case when n % 11 > 0 then n end, n % 13,
       case when n % 17 > 0 then n * 0.0000003 end, $2::timestamptz + ($3::timestamptz - $2::timestamptz) * n / $4::int
     from generate_series(0, $4::int - 1) n`,
    [spaceId, from, to, count],
  );
}

/** Ledger entries. */
export async function ledgerUsage(
  { database }: TestPlatform,
  spaceId: string,
  by: UsageGroup,
  { from, to }: Range,
): Promise<Record<string, unknown>[]> {
  const rows = await database.query<Record<string, string | null>>(
    `select ${GROUPS[by]} as "group", count(*) as calls, coalesce(sum(prompt_tokens), 0) as "promptTokens",
       coalesce(sum(completion_tokens), 0) as "completionTokens", sum(-tokens) as tokens, coalesce(sum(cost), 0) as cost
     from relay.ledger where space_id = $1 and type = 'SETTLEMENT'
       and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at < $3)
     group by 1 order by ${by === 'day' ? '1' : 'sum(-tokens) desc, 1'}`,
    [spaceId, from ?? null, to ?? null],
  );
  return rows.map(({ group = null, ...counts }) => ({
    [by]: group,
    ...Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)])),
  }));
}
