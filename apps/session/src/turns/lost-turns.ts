import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SessionSignals, serviceCtx } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { PoisonedWork } from '@switchyard/service';
import { TurnLeasesRepository } from '../db/turn-leases.repository';
import { SessionConfig } from '../session.config';
import { TurnNews } from './turn-news';

const GIVEN_UP = {
  code: 'RUNTIME_UNAVAILABLE',
  message: 'The turn was given up: the process that ran it ended twice. Change what is asked before it is sent again.',
  retryable: false,
};

/** Turns whose process ended: counted, ended when it happened twice, and tried again when an operator says so. */
@Injectable()
export class LostTurns implements OnModuleInit {
  constructor(
    private readonly leases: TurnLeasesRepository,
    private readonly news: TurnNews,
    private readonly poisoned: PoisonedWork,
    private readonly bus: Bus,
    private readonly config: SessionConfig,
  ) {}

  onModuleInit(): void {
    this.poisoned.add({
      kind: 'turn',
      retry: async (tx, { spaceId, id }) => {
        tx.afterCommit(() => {
          this.bus.signal(SessionSignals.turnsClaimable, serviceCtx('session'), {});
        });
        return spaceId !== null && this.leases.startAgain(tx, spaceId, id);
      },
    });
  }

  /** `gone`: holders whose process has ended for certain. Gives how many turns were ended. */
  async settle(tx: Tx, gone: readonly string[]): Promise<number> {
    const lost = await this.leases.noteLost(tx, gone, this.config.SESSION_TURN_LEASE_SECONDS);
    if (lost === 0) return 0;
    const ended = await this.leases.failLost(tx, GIVEN_UP);
    await this.poisoned.note(
      tx,
      ended.map(({ spaceId, turnId, losses }) => ({ kind: 'turn', id: turnId, spaceId, losses })),
    );
    tx.afterCommit(() => {
      for (const turn of ended) this.news.tell(serviceCtx('session'), turn);
    });
    return ended.length;
  }
}
