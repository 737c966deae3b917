import { Injectable } from '@nestjs/common';
import type { PageWindow, RowOf, TimePosition, Tx } from '@switchyard/database';
import { secrets } from './tables';

export type SecretRow = Omit<RowOf<typeof secrets>, 'spaceId' | 'sealed'>;

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

/** All but the value, which stays in the database until it is used. */
const shown = (tx: Tx) =>
  tx
    .rows(secrets)
    .only('id', 'name', 'description', 'hosts', 'version', 'createdBy', 'createdAt', 'updatedAt', 'lastUsedAt');

@Injectable()
export class SecretsRepository {
  /** Null when the Space has a secret of this name in any case. */
  insert(tx: Tx, secret: NewSecret): Promise<SecretRow | null> {
    return tx.one<SecretRow>(
      `insert into secrets (space_id, id, name, description, hosts, sealed, created_by)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (space_id, lower(name)) do nothing returning ${COLUMNS}`,
      [secret.spaceId, secret.id, secret.name, secret.description, secret.hosts, secret.sealed, secret.createdBy],
    );
  }

  async count(tx: Tx, spaceId: string): Promise<number> {
    return (
      (await tx.one<{ secrets: number }>(`select count(*)::int as secrets from secrets where space_id = $1`, [spaceId]))
        ?.secrets ?? 0
    );
  }

  find(tx: Tx, spaceId: string, id: string): Promise<SecretRow | null> {
    return shown(tx).find({ spaceId, id });
  }

  findLocked(tx: Tx, spaceId: string, id: string): Promise<SecretRow | null> {
    return shown(tx).lock({ spaceId, id });
  }

  list(tx: Tx, spaceId: string, window: PageWindow<TimePosition>): Promise<SecretRow[]> {
    return shown(tx).listByTime({ spaceId }, window);
  }

  /** A new value when `sealed` is given. */
  update(
    tx: Tx,
    spaceId: string,
    id: string,
    { description, hosts, sealed }: { description: string | null; hosts: string[]; sealed: Buffer | null },
  ): Promise<SecretRow | null> {
    return tx.rows(secrets).change(
      { spaceId, id },
      {
        description,
        hosts,
        ...(sealed === null ? {} : { sealed, version: () => 'version + 1' }),
        updatedAt: () => `date_trunc('milliseconds', clock_timestamp())`,
      },
    );
  }

  remove(tx: Tx, spaceId: string, id: string): Promise<number> {
    return tx.rows(secrets).remove({ spaceId, id });
  }

  async knownNames(tx: Tx, spaceId: string, names: readonly string[]): Promise<string[]> {
    return (
      await tx.query<{ name: string }>(`select name from secrets where space_id = $1 and name = any($2::text[])`, [
        spaceId,
        names,
      ])
    ).map(({ name }) => name);
  }

  findSealed(tx: Tx, spaceId: string, names: readonly string[]): Promise<SealedSecret[]> {
    return tx.query<SealedSecret>(
      `select id, name, hosts, sealed from secrets where space_id = $1 and name = any($2::text[])`,
      [spaceId, names],
    );
  }

  findAllSealed(tx: Tx, spaceId: string): Promise<SealedSecret[]> {
    return tx.query<SealedSecret>(`select id, name, hosts, sealed from secrets where space_id = $1`, [spaceId]);
  }

  /** Once a minute at most: a secret in use is read far more often than anybody looks. */
  noteUse(tx: Tx, spaceId: string, names: readonly string[]): Promise<number> {
    return tx.count(
      `update secrets set last_used_at = now()
       where space_id = $1 and name = any($2::text[])
         and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
      [spaceId, names],
    );
  }
}
