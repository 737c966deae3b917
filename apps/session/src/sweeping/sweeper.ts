import { Injectable, type OnModuleInit } from '@nestjs/common';
import { serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import type { Polled } from '@switchyard/kernel';
import { Workers } from '@switchyard/service';
import { InteractionsRepository } from '../db/interactions.repository';
import { SessionsRepository } from '../db/sessions.repository';
import { TurnLeasesRepository } from '../db/turn-leases.repository';
import { TurnsRepository } from '../db/turns.repository';
import { ApprovalCounts } from '../turns/approval-counts';
import { SessionConfig } from '../session.config';
import { TurnNews } from '../turns/turn-news';
import { TurnStopping } from '../turns/turn-stopping';

const BATCH = 100;
const PURGE_EVERY_MS = 600_000;
/** A replica that is given a hopeless turn only has to say so; if that kills it too, nobody is asked again. */
const HOPELESS_AFTER = 3;

const WORKER_LOST = {
  code: 'RUNTIME_UNAVAILABLE',
  message: 'The turn could not be brought to an end. Send the message again.',
};

/** Ends what waits for nobody any more. */
@Injectable()
export class Sweeper implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly interactions: InteractionsRepository,
    private readonly sessions: SessionsRepository,
    private readonly leases: TurnLeasesRepository,
    private readonly turns: TurnsRepository,
    private readonly workers: Workers,
    private readonly stopping: TurnStopping,
    private readonly news: TurnNews,
    private readonly config: SessionConfig,
    private readonly counts: ApprovalCounts,
  ) {}

  onModuleInit(): void {
    const { SESSION_SWEEP_INTERVAL_MS: often } = this.config;
    const anyOverdue = this.database.lookouts.for(this.interactions.anyOverdue);
    this.workers.poll('expire unanswered questions', often, () => this.expireInteractions(), anyOverdue);
    const anyLost = this.database.lookouts.for(this.leases.anyLost);
    this.workers.poll('end hopeless turns', often, () => this.endHopelessTurns(), anyLost);
    this.workers.every('remove what was deleted', PURGE_EVERY_MS, () => this.purge());
  }

  private expireInteractions(): Promise<Polled> {
    return this.database.system('expire unanswered questions', async (tx) => {
      const all = await this.interactions.listOverdue(tx, BATCH);
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

  private async endHopelessTurns(): Promise<Polled> {
    const recoveries = this.config.SESSION_MAX_RECOVERIES + HOPELESS_AFTER;
    const ended = await this.database.system('end hopeless turns', (tx) =>
      this.leases.failHopeless(tx, recoveries, WORKER_LOST),
    );
    for (const turn of ended) this.news.tell(serviceCtx('session'), turn);
    return ended.length > 0 && 'soon';
  }

  private purge(): Promise<void> {
    const hours = this.config.SESSION_PURGE_AFTER_HOURS;
    return this.database.system('remove what was deleted', async (tx) => {
      await this.sessions.purge(tx, hours, BATCH);
      await this.leases.purgeStateless(tx, hours, BATCH * 10);
    });
  }
}
