import { Injectable, OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Logger, Workers } from '@switchyard/service';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { AccountsRepository } from '../db/accounts.repository';
import { Orphan, ReservationsRepository } from '../db/reservations.repository';
import { costOf } from '../domain/pricing';
import { RelayConfig } from '../relay.config';
import { Meter, dueOf } from './meter';

/** Beats that must be missed before a relay is taken for dead. */
const BEATS = 5;
const NOTE_MS = 500;
const BATCH = 100;

/** Keeps this relay's reservations alive, notes how far its calls are, and settles what dead relays left behind. */
@Injectable()
export class Sweeper implements OnModuleInit {
  private readonly noted = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly reservations: ReservationsRepository,
    private readonly accounts: AccountsRepository,
    private readonly meter: Meter,
    private readonly catalogue: CatalogueStore,
    private readonly workers: Workers,
    private readonly config: RelayConfig,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.workers.every('relay heartbeat', (this.config.RELAY_DEAD_AFTER_SECONDS * 1000) / BEATS, () => this.beat());
    this.workers.every('note what running calls have used', NOTE_MS, () => this.noteSeen());
    this.workers.every('settle the calls of dead relays', this.config.RELAY_SWEEP_SECONDS * 1000, () => this.sweep());
  }

  private beat(): Promise<void> {
    return this.database.system('relay heartbeat', (tx) => this.reservations.beat(tx, this.meter.holder));
  }

  private async noteSeen(): Promise<void> {
    const running = this.meter.runningHolds();
    const news = running.flatMap(({ spaceId, id, seenTokens }) =>
      seenTokens === null || this.noted.get(id) === seenTokens ? [] : [{ spaceId, id, tokens: seenTokens }],
    );
    if (news.length > 0)
      await this.database.system('note what running calls have used', (tx) => this.reservations.noteSeen(tx, news));
    this.noted.clear();
    for (const { id, seenTokens } of running) if (seenTokens !== null) this.noted.set(id, seenTokens);
  }

  private async sweep(): Promise<void> {
    const silent = this.config.RELAY_DEAD_AFTER_SECONDS;
    for (;;) {
      const orphans = await this.database.system('find reservations of dead relays', (tx) =>
        this.reservations.findOrphans(tx, silent, BATCH),
      );
      if (orphans.length === 0) break;
      const due = orphans.map((orphan) => this.settlementOf(orphan));
      await this.accounts.book(this.database, this.meter.holder, due, []);
      this.logger.warn({ calls: orphans.length }, 'settled the calls of a relay that died');
    }
    await this.database.system('forget dead relays', (tx) => this.reservations.forgetDeadHolders(tx, silent));
  }

  /** What a dead relay had noted is what is paid: the prompt and the answer so far, or nothing before an answer. */
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
