import { Injectable } from '@nestjs/common';
import type { ApplicationView, ListApplications, Manifest } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';

export interface StoredApplication extends ApplicationView {
  revision: number;
}

export interface NewApplication {
  id: string;
  manifest: Manifest;
  systemKeyId: string | null;
  installedBy: string | null;
}

const COLUMNS = `id, identifier, name, version, 'INSTALLED' as status, manifest, system_key_id, installed_by, created_at, updated_at`;

@Injectable()
export class ApplicationsRepository {
  list(
    tx: Tx,
    spaceId: string,
    filter: ListApplications,
    { after, take }: PageWindow<string>,
  ): Promise<ApplicationView[]> {
    return tx.query<ApplicationView>(
      `select ${COLUMNS} from applications
        where space_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or identifier = $3)
        order by id desc limit $4`,
      [spaceId, after, filter.identifier, take],
    );
  }

  find(tx: Tx, spaceId: string, id: string): Promise<ApplicationView | null> {
    return tx.one<ApplicationView>(`select ${COLUMNS} from applications where space_id = $1 and id = $2`, [
      spaceId,
      id,
    ]);
  }

  async isInstalled(tx: Tx, spaceId: string, identifier: string): Promise<boolean> {
    return (
      (await tx.count('select 1 from applications where space_id = $1 and identifier = $2', [spaceId, identifier])) > 0
    );
  }

  /** A change begins: what it brings to other services is newer than what any change before it brought. */
  countRevision(tx: Tx, spaceId: string, id: string): Promise<StoredApplication | null> {
    return tx.one<StoredApplication>(
      `update applications set revision = revision + 1 where space_id = $1 and id = $2 returning ${COLUMNS}, revision`,
      [spaceId, id],
    );
  }

  /** Nobody else changes or removes it before this transaction ends. */
  lock(tx: Tx, spaceId: string, id: string): Promise<StoredApplication | null> {
    return tx.one<StoredApplication>(
      `select ${COLUMNS}, revision from applications where space_id = $1 and id = $2 for update`,
      [spaceId, id],
    );
  }

  async add(tx: Tx, spaceId: string, { id, manifest, systemKeyId, installedBy }: NewApplication): Promise<void> {
    await tx.run(
      `insert into applications (space_id, id, identifier, name, version, manifest, system_key_id, installed_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        spaceId,
        id,
        manifest.identifier,
        manifest.name,
        manifest.version,
        JSON.stringify(manifest),
        systemKeyId,
        installedBy,
      ],
    );
  }

  async upgrade(tx: Tx, spaceId: string, id: string, manifest: Manifest): Promise<void> {
    await tx.run(
      `update applications set name = $3, version = $4, manifest = $5, updated_at = clock_timestamp()
        where space_id = $1 and id = $2`,
      [spaceId, id, manifest.name, manifest.version, JSON.stringify(manifest)],
    );
  }

  async setKey(tx: Tx, spaceId: string, id: string, systemKeyId: string): Promise<void> {
    await tx.run(
      'update applications set system_key_id = $3, updated_at = clock_timestamp() where space_id = $1 and id = $2',
      [spaceId, id, systemKeyId],
    );
  }

  async remove(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.run('delete from applications where space_id = $1 and id = $2', [spaceId, id]);
  }
}
