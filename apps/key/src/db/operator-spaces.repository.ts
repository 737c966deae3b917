import { Injectable } from '@nestjs/common';
import type { ChangeCeilings, Payer, SpaceOwner, SpaceStatus } from '@switchyard/contracts';
import { CursorList, type PageWindow, type TimePosition, type Tx, listByTime } from '@switchyard/database';
import { isId } from '@switchyard/kernel';
import type { SpaceRow } from './spaces.repository';
import { MILLISECOND, spaces } from './tables';

/** A Space with what is counted of it. */
export interface CountedSpace extends SpaceRow {
  owners: SpaceOwner[];
  members: number;
  balance: number;
  tokens: number;
  dailyTokens: number;
  calls: number;
  cost: string;
  bytes: number;
  records: number;
}

export interface NumberPlace {
  number: number;
  id: string;
}

const listByTotal = (name: string, totalOf: (row: CountedSpace) => number): CursorList<CountedSpace, NumberPlace> =>
  new CursorList(name, {
    partsOf: (row) => [totalOf(row), row.id],
    positionOf: ([number, id, ...more]) =>
      typeof number === 'number' && isId(id) && more.length === 0 ? { number, id } : undefined,
  });

export const NEWEST_SPACES = listByTime('operator-spaces', (row: CountedSpace) => ({ at: row.createdAt, id: row.id }));
export const SPACES_BY_TOTAL = {
  tokens: listByTotal('operator-spaces-by-tokens', ({ tokens }) => tokens),
  bytes: listByTotal('operator-spaces-by-bytes', ({ bytes }) => bytes),
};

export interface SpaceFilter {
  q: string | null;
  status: SpaceStatus | null;
}

export interface SpaceChange {
  name?: string;
  ceilings?: ChangeCeilings;
  payerKind?: Payer['kind'];
  payerId?: string;
  unmetered?: boolean;
  status?: SpaceStatus;
  suspendedReason?: string | null;
  /** Null, or the SQL of a time. */
  suspendedAt?: null | (() => string);
  lastSuspendedAt?: () => string;
  lastResumedAt?: () => string;
}

const COLUMNS = `s.id, s.name, s.settings, s.created_at, s.updated_at, s.status, s.suspended_reason, s.suspended_at, s.ceilings, s.made_by,
  s.made_by_kind, s.payer_kind, s.payer_id, s.unmetered, s.starting_tokens, t.balance, t.tokens, t.daily_tokens, t.calls, t.cost,
  t.bytes, t.records,
  (select count(*) from members m where m.space_id = s.space_id)::int as members,
  coalesce((select jsonb_agg(jsonb_build_object('userId', o.id, 'email', o.email, 'name', o.name) order by o.created_at, o.id)
    from (select u.id, u.email, u.name, m.created_at from members m join users u on u.id = m.user_id
      where m.space_id = s.space_id and m.role = 'OWNER' order by m.created_at, u.id limit 20) o), '[]') as owners`;
const COUNTED = 'space_totals t join spaces s on s.space_id = t.space_id';
/** The part of a name is no pattern: it is looked for as it stands. */
const FILTER = `($1::text is null or position(lower($1) in lower(s.name)) > 0) and ($2::text is null or s.status = $2)`;

/** Spaces for operators: over all of them, so by the system's role alone. */
@Injectable()
export class OperatorSpacesRepository {
  find(tx: Tx, spaceId: string): Promise<CountedSpace | null> {
    return tx.one<CountedSpace>(`select ${COLUMNS} from ${COUNTED} where s.space_id = $1`, [spaceId]);
  }

  names(tx: Tx, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
    return tx.query(`select id, name from spaces where id = any($1::uuid[])`, [ids]);
  }

  listNewest(tx: Tx, filter: SpaceFilter, { after, take }: PageWindow<TimePosition>): Promise<CountedSpace[]> {
    return tx.query<CountedSpace>(
      `select ${COLUMNS} from ${COUNTED}
       where ${FILTER} and ($3::timestamptz is null or (s.created_at, s.id) < ($3::timestamptz, $4::uuid))
       order by s.created_at desc, s.id desc limit $5`,
      [filter.q, filter.status, after?.at ?? null, after?.id ?? null, take],
    );
  }

  listByTotal(
    tx: Tx,
    total: 'tokens' | 'bytes',
    filter: SpaceFilter,
    { after, take }: PageWindow<NumberPlace>,
  ): Promise<CountedSpace[]> {
    return tx.query<CountedSpace>(
      `select ${COLUMNS} from ${COUNTED}
       where ${FILTER} and ($3::bigint is null or (t.${total}, t.space_id) < ($3::bigint, $4::uuid))
       order by t.${total} desc, t.space_id desc limit $5`,
      [filter.q, filter.status, after?.number ?? null, after?.id ?? null, take],
    );
  }

  async change(tx: Tx, spaceId: string, change: SpaceChange): Promise<void> {
    await tx.rows(spaces).change({ spaceId }, { ...change, updatedAt: () => MILLISECOND });
  }
}
