import { Injectable } from '@nestjs/common';
import { type Ctx, SessionSignals } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { SettledTurn } from '../db/turns.repository';

/** Tells the services that wait for turns of theirs, so that they need not ask again and again. */
@Injectable()
export class TurnSignals {
  constructor(private readonly bus: Bus) {}

  tell(ctx: Ctx, { spaceId, turnId, input }: SettledTurn): void {
    const { source } = input;
    if (source === 'job' || source === 'task') this.bus.signal(SessionSignals.turnSettled, ctx, { spaceId, turnId });
  }
}
