import { Injectable, OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import { Logger, Workers } from '@switchyard/service';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { LedgerBatchRepository } from '../db/ledger-batch.repository';
import { Orphan, OrphanLease, ReservationsRepository } from '../db/reservations.repository';
import { costOf } from '../domain/pricing';
import { RelayConfig } from '../relay.config';
import { dueOf } from './ledger-entries';
import { JournalKeeper } from './journal-keeper';
import { LedgerWriter } from './ledger-writer';

/** Beats that must be missed before a relay is taken for dead. */
const BEATS = 5;
const NOTE_MS = 500;
const BATCH = 100;

/** Keeps this relay's reservations alive, notes how far its calls are, and settles what dead relays left behind. */
@Injectable()
export class OrphanedReservationSweeper implements OnModuleInit {
  private beatAt = Date.now();
  private readonly noted = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly reservations: ReservationsRepository,
    private readonly ledger: LedgerBatchRepository,
    private readonly ledgerWriter: LedgerWriter,
    private readonly journals: JournalKeeper,
    private readonly catalogue: CatalogueStore,
    private readonly workers: Workers,
    private readonly config: RelayConfig,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.workers.every('relay heartbeat', (this.config.RELAY_DEAD_AFTER_SECONDS * 1000) / BEATS, () => this.beat());
    const note = this.workers.whileNeeded('note what running calls have used', NOTE_MS, async () => {
      await this.noteSeen();
      return this.ledgerWriter.isHolding;
    });
    this.ledgerWriter.onReserved(note);
    const { RELAY_SWEEP_SECONDS, RELAY_DEAD_AFTER_SECONDS } = this.config;
    const poller = this.database.idlePoller.for(this.reservations.anySilent(RELAY_DEAD_AFTER_SECONDS));
    this.workers.poll('settle the calls of dead relays', RELAY_SWEEP_SECONDS * 1000, () => this.sweep(), poller);
  }

  private async beat(): Promise<void> {
    const at = Date.now();
    await this.journals.beat();
    // After so long without a heartbeat, others may assume that this relay died: report its reservations again.
    if (at - this.beatAt > this.config.RELAY_DEAD_AFTER_SECONDS * 1000) await this.ledgerWriter.flushAllLeases();
    this.beatAt = at;
  }

  private async noteSeen(): Promise<void> {
    const running = this.ledgerWriter.runningHolds();
    const changed = running.filter(({ id, seenTokens }) => seenTokens !== null && this.noted.get(id) !== seenTokens);
    const notes = changed.flatMap(({ isNoted, spaceId, id, seenTokens }) =>
      isNoted && seenTokens !== null ? [{ spaceId, id, tokens: seenTokens }] : [],
    );
    await this.ledgerWriter.note(changed.filter((tokenReservation) => !tokenReservation.isNoted));
    if (notes.length > 0)
      await this.database.system('note what running calls have used', (tx) => this.reservations.noteSeen(tx, notes));
    this.noted.clear();
    for (const { id, seenTokens } of running) if (seenTokens !== null) this.noted.set(id, seenTokens);
    await this.ledgerWriter.flushLeases();
  }

  private async sweep(): Promise<Polled> {
    const silent = this.config.RELAY_DEAD_AFTER_SECONDS;
    let hasFound = false;
    for (;;) {
      const { orphans, leases } = await this.database.system('find what dead relays hold', async (tx) => ({
        orphans: await this.reservations.findOrphans(tx, silent, BATCH),
        leases: await this.reservations.findOrphanLeases(tx, this.ledgerWriter.holder, silent, BATCH),
      }));
      if (orphans.length + leases.length === 0) break;
      hasFound = true;
      const due = orphans.map((orphan) => this.settlementOf(orphan));
      if (due.length > 0) await this.ledger.book(this.database, this.ledgerWriter.holder, { settled: due });
      await this.freeLeases(leases);
      this.logger.warn(
        { calls: orphans.length, leases: leases.length },
        'settled the calls of a dead relay and released its reservations',
      );
    }
    await this.database.system('forget dead relays', async (tx) => {
      await this.reservations.deleteEmptyLeases(tx);
      await this.reservations.deleteDeadHolders(tx, silent);
    });
    return hasFound && 'soon';
  }

  private async freeLeases(leases: readonly OrphanLease[]): Promise<void> {
    for (const holder of new Set(leases.map((lease) => lease.holder)))
      await this.ledger.book(this.database, holder, { leases: leases.filter((lease) => lease.holder === holder) });
  }

  /** Calls of a dead relay are charged by its last note: prompt and output so far, or nothing before an answer. */
  private settlementOf(orphan: Orphan): ReturnType<typeof dueOf> {
    if (orphan.seenTokens === null) return dueOf(orphan, orphan.facts, null);
    const counts = { promptTokens: orphan.facts.promptTokens, completionTokens: orphan.seenTokens, estimated: true };
    const model = this.catalogue.current.models.get(orphan.facts.model);
    return dueOf(orphan, orphan.facts, {
      counts,
      model: orphan.facts.model,
      upstream: null,
      cost: model ? costOf(model, counts) : 0,
      outcome: 'swept',
    });
  }
}
