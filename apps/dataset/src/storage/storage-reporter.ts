import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyCalls, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { Workers } from '@switchyard/service';
import { SpaceStorageRepository } from '../db/space-storage.repository';
import { StorageQuota } from './storage-quota';

const EVERY_MS = 20_000;
const AT_ONCE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Reports to the key service what the datasets of Spaces hold: of the Spaces that this process has written to since the
 * last report. A new process reports all Spaces once, because the one before may have been lost with its changes.
 */
@Injectable()
export class StorageReporter implements OnModuleInit {
  private readonly changed = new Set<string>();
  private after: string | null = BEFORE_ALL;

  constructor(
    private readonly database: Database,
    private readonly rows: SpaceStorageRepository,
    private readonly storage: StorageQuota,
    private readonly bus: Bus,
    private readonly workers: Workers,
  ) {}

  onModuleInit(): void {
    this.storage.onChange((spaceId) => this.changed.add(spaceId));
    this.workers.poll('report what Spaces store', EVERY_MS, () => this.reportSome());
  }

  /** Returns whether there is more to report. */
  private async reportSome(): Promise<boolean> {
    if (this.after !== null) {
      const ids = await this.rows.spacesAfter(this.database, this.after, AT_ONCE);
      await this.report(ids);
      this.after = ids.length === AT_ONCE ? (ids.at(-1) ?? null) : null;
      return this.after !== null;
    }
    const ids = [...this.changed].slice(0, AT_ONCE);
    // Removed before the totals are read: a write in between is reported once more.
    for (const id of ids) this.changed.delete(id);
    try {
      await this.report(ids);
    } catch (error) {
      for (const id of ids) this.changed.add(id);
      throw error;
    }
    return this.changed.size > 0 && ids.length === AT_ONCE;
  }

  private async report(spaceIds: readonly string[]): Promise<void> {
    if (spaceIds.length === 0) return;
    const stored = await this.rows.totals(this.database, spaceIds);
    await this.bus.call(KeyCalls.reportTotals, serviceCtx('dataset'), { stored });
  }
}
