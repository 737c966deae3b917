import type { PageWindow, TimePlace, Tx } from '@switchyard/database';

export interface SecretRow {
  id: string;
  name: string;
  description: string | null;
  hosts: string[];
  version: number;
  createdBy: string | null;
  createdAt: string;
  updatedAt: string;
  lastUsedAt: string | null;
}

export interface SealedSecret {
  id: string;
  name: string;
  hosts: string[];
  sealed: Buffer;
}

export interface NewSecret {
  spaceId: string;
  id: string;
  name: string;
  description: string | null;
  hosts: string[];
  sealed: Buffer;
  createdBy: string;
}

const COLUMNS = 'id, name, description, hosts, version, created_by, created_at, updated_at, last_used_at';

export const secretsRepository = {
  /** Null when the Space has a secret of this name, whatever its case. */
  insert: (tx: Tx, secret: NewSecret): Promise<SecretRow | null> =>
    tx.one<SecretRow>(
      `insert into secrets (space_id, id, name, description, hosts, sealed, created_by)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (space_id, lower(name)) do nothing returning ${COLUMNS}`,
      [secret.spaceId, secret.id, secret.name, secret.description, secret.hosts, secret.sealed, secret.createdBy],
    ),

  count: async (tx: Tx, spaceId: string): Promise<number> =>
    (await tx.one<{ secrets: number }>(`select count(*)::int as secrets from secrets where space_id = $1`, [spaceId]))
      ?.secrets ?? 0,

  find: (tx: Tx, spaceId: string, id: string): Promise<SecretRow | null> =>
    tx.one<SecretRow>(`select ${COLUMNS} from secrets where space_id = $1 and id = $2`, [spaceId, id]),

  findLocked: (tx: Tx, spaceId: string, id: string): Promise<SecretRow | null> =>
    tx.one<SecretRow>(`select ${COLUMNS} from secrets where space_id = $1 and id = $2 for update`, [spaceId, id]),

  /** Newest first, below the place that a cursor names. */
  list: (tx: Tx, spaceId: string, page: PageWindow<TimePlace>): Promise<SecretRow[]> =>
    tx.query<SecretRow>(
      `select ${COLUMNS} from secrets
       where space_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2::timestamptz, $3::uuid))
       order by created_at desc, id desc limit $4`,
      [spaceId, page.after?.at ?? null, page.after?.id ?? null, page.take],
    ),

  /** A new value when `sealed` is given. */
  update: (
    tx: Tx,
    spaceId: string,
    id: string,
    change: { description: string | null; hosts: string[]; sealed: Buffer | null },
  ): Promise<SecretRow | null> =>
    tx.one<SecretRow>(
      `update secrets set description = $3, hosts = $4, sealed = coalesce($5, sealed),
         version = version + case when $5::bytea is null then 0 else 1 end,
         updated_at = date_trunc('milliseconds', clock_timestamp())
       where space_id = $1 and id = $2 returning ${COLUMNS}`,
      [spaceId, id, change.description, change.hosts, change.sealed],
    ),

  remove: (tx: Tx, spaceId: string, id: string): Promise<number> =>
    tx.count(`delete from secrets where space_id = $1 and id = $2`, [spaceId, id]),

  knownNames: async (tx: Tx, spaceId: string, names: readonly string[]): Promise<string[]> =>
    (
      await tx.query<{ name: string }>(`select name from secrets where space_id = $1 and name = any($2::text[])`, [
        spaceId,
        names,
      ])
    ).map(({ name }) => name),

  findSealed: (tx: Tx, spaceId: string, names: readonly string[]): Promise<SealedSecret[]> =>
    tx.query<SealedSecret>(
      `select id, name, hosts, sealed from secrets where space_id = $1 and name = any($2::text[])`,
      [spaceId, names],
    ),

  findAllSealed: (tx: Tx, spaceId: string): Promise<SealedSecret[]> =>
    tx.query<SealedSecret>(`select id, name, hosts, sealed from secrets where space_id = $1`, [spaceId]),

  /** Once a minute at most: a secret in use is read far more often than anybody looks. */
  noteUse: (tx: Tx, spaceId: string, names: readonly string[]): Promise<number> =>
    tx.count(
      `update secrets set last_used_at = now()
       where space_id = $1 and name = any($2::text[])
         and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
      [spaceId, names],
    ),
};
