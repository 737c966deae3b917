import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AgentCalls } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Workers } from '@switchyard/service';
import { type TurnToStop, TurnsToStopRepository } from '../db/turns-to-stop.repository';
import { RunIdentity } from './run-identity';

const POLL_MS = 5_000;
const BATCH = 50;

/** An execution that ends while it waits for a turn takes the turn with it, also after a crash. */
@Injectable()
export class TurnCancellation implements OnModuleInit {
  private wakeLoop: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly turns: TurnsToStopRepository,
    private readonly identity: RunIdentity,
    private readonly bus: Bus,
    private readonly workers: Workers,
  ) {}

  onModuleInit(): void {
    const poller = this.database.idlePoller.for(this.turns.anyToStop);
    this.wakeLoop = this.workers.poll('stop turns of ended executions', POLL_MS, () => this.round(), poller);
  }

  wake(): void {
    this.wakeLoop();
  }

  private async round(): Promise<boolean> {
    const ended = await this.database.system('find turns to stop', (tx) => this.turns.find(tx, BATCH));
    const stopped = await Promise.all(ended.map((execution) => this.stop(execution)));
    return ended.length === BATCH && stopped.every(Boolean);
  }

  /** False where the turn could not be told: it is tried again. */
  private async stop(execution: TurnToStop): Promise<boolean> {
    try {
      const ctx = this.identity.toStop(execution);
      await this.bus.call(AgentCalls.cancelTurn, ctx, { turnId: execution.waitingTurn as string });
    } catch (error) {
      const isRefused = error instanceof AppError && ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'].includes(error.code);
      if (!isRefused) return false;
    }
    await this.database.inSpace(execution.spaceId, (tx) => this.turns.stopped(tx, execution));
    return true;
  }
}
