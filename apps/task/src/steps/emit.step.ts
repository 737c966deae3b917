import { Injectable } from '@nestjs/common';
import { checkPayloadSize, EventBusCalls } from '@switchyard/contracts';
import { rejectOnAbort } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { EmitStepInput } from '@switchyard/contracts';
import { TaskConfig } from '../task.config';
import { allRead, type OutsideStep } from './step-executor';
import { type Effect, effectKey } from './external-effect';

/** Emits an event of the own Space, one deeper than the run. */
@Injectable()
export class EmitStep implements OutsideStep {
  readonly isOutside = true;

  constructor(
    private readonly bus: Bus,
    private readonly config: TaskConfig,
  ) {}

  async run(effect: Effect): Promise<unknown> {
    const { appIdentifier, event, payload, idempotencyKey, ...rest } = effect.input as unknown as EmitStepInput;
    allRead(rest);
    checkPayloadSize(payload, this.config.EVENT_PAYLOAD_MAX_BYTES);
    const request = { appIdentifier, event, payload, idempotencyKey: idempotencyKey ?? effectKey(effect) };
    return rejectOnAbort(effect.signal, this.bus.call(EventBusCalls.emitFromRun, effect.ctx, request));
  }
}
