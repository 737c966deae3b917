import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SessionSignals, serviceCtx } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import { Bus } from '@switchyard/messaging';
import { PoisonedWork, DatabaseSilenceDetector, Workers } from '@switchyard/service';
import { TurnLeasesRepository } from '../db/turn-leases.repository';
import { SessionConfig } from '../session.config';
import { TurnSignals } from './turn-signals';

/** Of a lease: how often the database is looked at, and between which answers a lease may have run out. */
const LOOK_PART = 0.25;
const LATE_PART = 0.6;

const GIVEN_UP = {
  code: 'RUNTIME_UNAVAILABLE',
  message: 'The turn was given up: the process that ran it ended twice. Change what is asked before it is sent again.',
  retryable: false,
};

/** Turns whose process ended: counted, ended when it happened twice, and tried again when an operator says so. */
@Injectable()
export class CrashedTurns implements OnModuleInit {
  private readonly silence: DatabaseSilenceDetector;

  constructor(
    private readonly database: Database,
    private readonly leases: TurnLeasesRepository,
    private readonly signals: TurnSignals,
    private readonly poisoned: PoisonedWork,
    private readonly bus: Bus,
    private readonly config: SessionConfig,
    private readonly workers: Workers,
  ) {
    const leaseMs = config.SESSION_TURN_LEASE_SECONDS * 1000;
    this.silence = new DatabaseSilenceDetector({ lateMs: LATE_PART * leaseMs, leaseMs });
  }

  onModuleInit(): void {
    const everyMs = LOOK_PART * this.config.SESSION_TURN_LEASE_SECONDS * 1000;
    this.workers.poll('look whether the database answers', everyMs, () => this.pingDatabase());
    this.poisoned.add({
      kind: 'turn',
      retry: async (tx, { spaceId, id }) => {
        tx.afterCommit(() => {
          this.bus.signal(SessionSignals.turnsClaimable, serviceCtx('session'), {});
        });
        return spaceId === null ? 'absent' : this.leases.startAgain(tx, spaceId, id);
      },
    });
  }

  /** Agents that live can renew no lease while the database does not answer: then leases run out, and say nothing. */
  private async pingDatabase(): Promise<Polled> {
    await this.database.systemRead('look whether the database answers', [
      { name: 'answers', sql: 'select 1', params: [] },
    ]);
    this.silence.answered();
    return 'soon';
  }

  /** `gone`: holders whose process has ended for certain. Gives how many turns were ended. */
  async settle(tx: Tx, removed: readonly string[]): Promise<number> {
    const isSilenceLoss = this.silence.mayCount();
    const lapsed = await this.leases.noteExpired(tx, { ended: removed, isSilenceLoss });
    if (lapsed === 0) return 0;
    const ended = await this.leases.failExpired(tx, GIVEN_UP);
    await this.poisoned.note(
      tx,
      ended.map(({ spaceId, key, turnId, losses }) => ({ kind: 'turn', id: key, shownId: turnId, spaceId, losses })),
    );
    tx.afterCommit(() => {
      for (const turn of ended) this.signals.tell(serviceCtx('session'), turn);
    });
    return ended.length;
  }
}
