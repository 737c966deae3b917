import { Injectable } from '@nestjs/common';
import { type ApplicationView, type ListApplications, type Manifest, shownOversized } from '@switchyard/contracts';
import type { PageWindow, RowOf, Tx } from '@switchyard/database';
import { platformManifest } from '../domain/platform-application';
import { isPlatformId, platformApplicationId } from '../domain/platform-ids';
import { applications } from './tables';

export type StoredApplication = RowOf<typeof applications>;

export interface NewApplication {
  id: string;
  manifest: Manifest;
  systemKeyId: string | null;
  installedBy: string | null;
}

const viewOf = (row: StoredApplication): ApplicationView => ({
  id: row.id,
  identifier: row.identifier,
  name: row.name,
  version: row.version,
  status: 'INSTALLED',
  manifest: isPlatformId(row.id) ? platformManifest(row.identifier) : row.manifest,
  systemKeyId: row.systemKeyId,
  installedBy: row.installedBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...shownOversized(row.oversized),
});

@Injectable()
export class ApplicationsRepository {
  async list(
    tx: Tx,
    spaceId: string,
    { identifier, platform }: ListApplications,
    window: PageWindow<string>,
  ): Promise<{ rows: ApplicationView[]; found: number }> {
    const { rows, found } = await tx
      .rows(applications)
      .listLight(['manifest'], { spaceId, identifier }, window, [
        platform === false && ['row.id <> :platform', { platform: platformApplicationId(spaceId) }],
      ]);
    return { rows: rows.map(viewOf), found };
  }

  async find(tx: Tx, spaceId: string, id: string): Promise<ApplicationView | null> {
    const row = await tx.rows(applications).find({ spaceId, id });
    return row && viewOf(row);
  }

  isInstalled(tx: Tx, spaceId: string, identifier: string): Promise<boolean> {
    return tx.rows(applications).exists({ spaceId, identifier });
  }

  /** A change begins: what it brings to other services is newer than what any change before it brought. */
  countRevision(tx: Tx, spaceId: string, id: string): Promise<StoredApplication | null> {
    return tx.rows(applications).change({ spaceId, id }, { revision: () => 'revision + 1' });
  }

  /** Locks it against changes and removal until this transaction ends. */
  lock(tx: Tx, spaceId: string, id: string): Promise<StoredApplication | null> {
    return tx.rows(applications).lock({ spaceId, id });
  }

  async add(tx: Tx, spaceId: string, { id, manifest, systemKeyId, installedBy }: NewApplication): Promise<void> {
    const { identifier, name, version } = manifest;
    await tx.rows(applications).insert({ spaceId, id, identifier, name, version, manifest, systemKeyId, installedBy });
  }

  async upgrade(tx: Tx, spaceId: string, id: string, manifest: Manifest): Promise<void> {
    const { name, version } = manifest;
    await tx.rows(applications).save({ spaceId, id }, { name, version, manifest });
  }

  async setKey(tx: Tx, spaceId: string, id: string, systemKeyId: string): Promise<void> {
    await tx.rows(applications).save({ spaceId, id }, { systemKeyId });
  }

  async remove(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.rows(applications).remove({ spaceId, id });
  }
}
