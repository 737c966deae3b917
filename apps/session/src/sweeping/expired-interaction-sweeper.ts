import { Injectable, type OnModuleInit } from '@nestjs/common';
import { serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import { SpaceClocks, Workers } from '@switchyard/service';
import { InteractionsRepository } from '../db/interactions.repository';
import { SessionsRepository } from '../db/sessions.repository';
import { TurnLeasesRepository } from '../db/turn-leases.repository';
import { TurnsRepository } from '../db/turns.repository';
import { ApprovalMetrics } from '../turns/approval-metrics';
import { SessionConfig } from '../session.config';
import { CrashedTurns } from '../turns/crashed-turn-handling';
import { TurnCancellation } from '../turns/turn-cancellation';

const BATCH = 100;
const PURGE_EVERY_MS = 600_000;

/** Ends expired waits. */
@Injectable()
export class ExpiredInteractionSweeper implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly interactions: InteractionsRepository,
    private readonly sessions: SessionsRepository,
    private readonly leases: TurnLeasesRepository,
    private readonly turns: TurnsRepository,
    private readonly workers: Workers,
    private readonly clocks: SpaceClocks,
    private readonly stopping: TurnCancellation,
    private readonly losses: CrashedTurns,
    private readonly config: SessionConfig,
    private readonly counts: ApprovalMetrics,
  ) {}

  onModuleInit(): void {
    const { SESSION_SWEEP_INTERVAL_MS: often } = this.config;
    const anyOverdue = this.database.idlePoller.for(this.interactions.anyOverdue);
    this.workers.poll('expire unanswered questions', often, () => this.expireInteractions(), anyOverdue);
    const anyExpired = this.database.idlePoller.for(this.leases.anyExpired);
    this.workers.poll('end lost turns', often, () => this.endExpiredTurns(), anyExpired);
    this.workers.every('remove what was deleted', PURGE_EVERY_MS, () => this.purge());
  }

  private async expireInteractions(): Promise<Polled> {
    const spaces = await this.clocks.late();
    if (spaces.length === 0) return false;
    return this.database.system('expire unanswered questions', async (tx) => {
      const all = await this.interactions.listOverdue(tx, spaces, BATCH);
      for (const overdue of all) {
        await this.interactions.expire(tx, overdue.spaceId, overdue.id);
        tx.afterCommit(() => {
          this.counts.expired(overdue);
        });
        const turn = await this.turns.findByKey(tx, overdue.spaceId, overdue.turnKey);
        // A question that is not answered ends its turn; an approval counts as denied, and the turn goes on.
        const why = { reason: 'expired' as const, ends: overdue.purpose === 'question' };
        if (turn) await this.stopping.wake(tx, serviceCtx('session'), turn, why);
      }
      return all.length > 0 && 'soon';
    });
  }

  /** Agents that claim see to it as well; this is for the time when none does. */
  private async endExpiredTurns(): Promise<Polled> {
    const ended = await this.database.system('end lost turns', (tx) => this.losses.settle(tx, []));
    return ended > 0 && 'soon';
  }

  private purge(): Promise<void> {
    const hours = this.config.SESSION_PURGE_AFTER_HOURS;
    return this.database.system('remove what was deleted', async (tx) => {
      await this.sessions.purge(tx, hours, BATCH);
      await this.leases.purgeStateless(tx, hours, BATCH * 10);
    });
  }
}
