import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { upToEntries } from '@switchyard/kernel';
import { SpacePolicyCache } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { DatasetConfig } from '../dataset.config';
import { SpaceStorageRepository } from '../db/space-storage.repository';
import { ceilingsOf, checkCeilings, isFarBelow, type StoredAmount, sumOf } from '../domain/storage-limits';

const FRESH_MS = 3000;
const MIB = 1024 * 1024;

type Totals = LRUCache<string, { used: StoredAmount; at: number }>;

interface Measure {
  totals: Totals;
  readTotal: () => Promise<StoredAmount>;
  /** For the message of a refusal. */
  subject?: string;
}

/** The ceilings of a write, asked for before its transaction. */
export type StorageCeilings = StoredAmount;

/**
 * Holds a Space to its ceilings of records and bytes. Far below them a total of the last seconds decides, with what
 * this process has added since; near them the writes of the Space take turns and each reads the exact total.
 */
@Injectable()
export class StorageQuota {
  private readonly totals: Totals = new LRUCache(upToEntries(10_000));
  private readonly stagedTotals: Totals = new LRUCache(upToEntries(10_000));

  private readonly listeners: ((spaceId: string) => void)[] = [];

  constructor(
    private readonly config: DatasetConfig,
    private readonly policies: SpacePolicyCache,
    private readonly rows: SpaceStorageRepository,
  ) {}

  /** 503 if the key service does not answer and nothing is known of the Space. */
  async ceilingsOf(spaceId: string): Promise<StorageCeilings> {
    const defaults = { records: this.config.SPACE_MAX_RECORDS, bytes: this.config.SPACE_MAX_MB * MIB };
    return ceilingsOf(await this.policies.ceilingsOf(spaceId), defaults);
  }

  /** How many datasets an operator allows; null where none has said so. */
  datasetsAllowed(spaceId: string): Promise<number | null> {
    return this.policies.ceilingOf(spaceId, 'datasets');
  }

  /** Called when a transaction that wrote or removed records has committed. */
  onChange(listener: (spaceId: string) => void): void {
    this.listeners.push(listener);
  }

  changes(tx: Tx, spaceId: string): void {
    tx.afterCommit(() => {
      for (const listener of this.listeners) listener(spaceId);
    });
  }

  /** Before rows are written. */
  check(tx: Tx, spaceId: string, more: StoredAmount, ceilings: StorageCeilings): Promise<void> {
    return this.hold(tx, spaceId, more, ceilings, {
      totals: this.totals,
      readTotal: async () => sumOf(await this.rows.used(tx, spaceId), more),
    });
  }

  /** Before a part of an import is staged: all open imports of the Space count with what is stored. */
  checkStaged(tx: Tx, spaceId: string, more: StoredAmount, ceilings: StorageCeilings): Promise<void> {
    return this.hold(tx, spaceId, more, ceilings, {
      totals: this.stagedTotals,
      readTotal: async () => {
        const stored = await this.rows.used(tx, spaceId);
        return sumOf(sumOf(stored, await this.rows.staged(tx, spaceId)), more);
      },
      subject: 'They and the imports that are open hold',
    });
  }

  /** After rows were written, in the same transaction: how much larger a change makes them is known then. */
  checkWritten(tx: Tx, spaceId: string, bytes: number, ceilings: StorageCeilings): Promise<void> {
    return this.hold(tx, spaceId, { records: 0, bytes }, ceilings, {
      totals: this.totals,
      readTotal: () => this.rows.used(tx, spaceId),
    });
  }

  private async hold(
    tx: Tx,
    spaceId: string,
    more: StoredAmount,
    ceilings: StorageCeilings,
    { totals, readTotal, subject }: Measure,
  ): Promise<void> {
    if (more.records <= 0 && more.bytes <= 0) return;
    const existing = totals.get(spaceId);
    if (existing !== undefined && performance.now() - existing.at < FRESH_MS) {
      existing.used = sumOf(existing.used, more);
      if (isFarBelow(existing.used, ceilings)) return;
    }
    const total = await readTotal();
    if (isFarBelow(total, ceilings)) {
      totals.set(spaceId, { used: total, at: performance.now() });
      return;
    }
    await this.rows.takeTurn(tx, spaceId);
    checkCeilings(await readTotal(), more, ceilings, subject);
  }
}
