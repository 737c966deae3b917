import { Injectable } from '@nestjs/common';
import type { LedgerRow, LedgerType, UsageGroup, UsageGroupRow } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

const GROUPS: Readonly<Record<UsageGroup, string>> = {
  day: `to_char(created_at at time zone 'utc', 'YYYY-MM-DD')`,
  model: 'model',
  agent: 'agent_id::text',
  user: 'user_id::text',
  key: 'key_id',
  source: 'source',
};

const COLUMNS = 'id, type, tokens, balance_after, note, source, agent_id, model, key_id, user_id, turn_id, created_at';

export interface NewCredit {
  type: LedgerType;
  tokens: number;
  balanceAfter: number;
  note: string | null;
  userId: string | null;
  keyId: string | null;
}

@Injectable()
export class LedgerRepository {
  async add(tx: Tx, spaceId: string, credit: NewCredit): Promise<LedgerRow> {
    const row = await tx.one<LedgerRow>(
      `insert into ledger (space_id, id, type, tokens, balance_after, note, user_id, key_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
      [spaceId, newId(), credit.type, credit.tokens, credit.balanceAfter, credit.note, credit.userId, credit.keyId],
    );
    if (!row) throw new Error('the ledger took an entry and did not return it');
    return row;
  }

  /** Newest first, by `seq`, which counts the rows of all Spaces and leaves the service in no form: `after` is an id. */
  list(tx: Tx, spaceId: string, { after, take }: PageWindow<string>): Promise<LedgerRow[]> {
    return tx.query<LedgerRow>(
      `select ${COLUMNS} from ledger
       where space_id = $1 and ($3::uuid is null or seq < (select seq from ledger where space_id = $1 and id = $3))
       order by seq desc limit $2`,
      [spaceId, take, after],
    );
  }

  async usage(
    tx: Tx,
    spaceId: string,
    range: { from: string | null; to: string | null; groupBy: UsageGroup },
  ): Promise<UsageGroupRow[]> {
    const group = GROUPS[range.groupBy];
    const rows = await tx.query<Omit<UsageGroupRow, 'cost'> & { cost: string }>(
      `select ${group} as "group", count(*) as calls, coalesce(sum(prompt_tokens), 0)::bigint as prompt_tokens,
         coalesce(sum(completion_tokens), 0)::bigint as completion_tokens, coalesce(sum(-tokens), 0)::bigint as tokens, coalesce(sum(cost), 0) as cost
       from ledger
       where space_id = $1 and type = 'SETTLEMENT' and ($2::timestamptz is null or created_at >= $2::timestamptz) and ($3::timestamptz is null or created_at < $3::timestamptz)
       group by 1 order by ${range.groupBy === 'day' ? '1' : 'tokens desc, 1'} limit 10000`,
      [spaceId, range.from, range.to],
    );
    return rows.map((row) => ({ ...row, cost: Number(row.cost) }));
  }
}
