import { Inject, Injectable } from '@nestjs/common';
import { type LeasedTurn, SessionCalls, serviceCtx } from '@switchyard/contracts';
import { Bus, BUS_OPTIONS, type BusOptions, Others, type Repeat, Trials } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';

/** Requests wait no longer for the note that they run beside a turn that was lost. */
const NOTED_WITHIN_MS = 1_000;

/** Turns that lost their process run as trials: not beside a request that did, and requests wait for a moment. */
@Injectable()
export class SuspectTurns {
  constructor(
    private readonly bus: Bus,
    private readonly trials: Trials,
    @Inject(BUS_OPTIONS) private readonly options: BusOptions,
    private readonly logger: Logger,
  ) {}

  /** Resolves with what has to be called when the turn has ended here. */
  async enter({ key, epoch }: LeasedTurn): Promise<() => void> {
    const report = (others: number): Promise<void> | undefined =>
      others === Others.none ? undefined : this.noteRequests({ key, epoch });
    const repeat: Repeat = { ageMs: Infinity, isBackground: true, report };
    await this.trials.enter(repeat);
    return () => {
      this.trials.leave(repeat);
    };
  }

  private async noteRequests(turn: LeasedTurn): Promise<void> {
    const message = { owner: this.options.instance, turns: [turn], hasRequests: true };
    const options = { timeoutMs: NOTED_WITHIN_MS };
    await this.bus.call(SessionCalls.heartbeatTurns, serviceCtx('agent'), message, options).catch((error: unknown) => {
      this.logger.warn({ err: error, turn: turn.key }, 'failed to note that requests run beside a lost turn');
    });
  }
}
