import { Injectable } from '@nestjs/common';
import {
  type CallContract,
  type Ctx,
  DATASET_OPERATIONS,
  checkRequest,
  resultOfOperation,
} from '@switchyard/contracts';
import { rejectOnAbort, fingerprintOfLarge, type JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { DatasetStepInput } from '@switchyard/contracts';
import type { OutsideStep } from './step-executor';
import { type Effect, effectKey } from './external-effect';

/** Writes carry the step's name, so that a second run after a crash finds the first one's answer. */
const writing = async (ctx: Ctx, route: string, effect: Effect, body: unknown): Promise<Ctx> => ({
  ...ctx,
  idempotency: { key: effectKey(effect), route, fingerprint: await fingerprintOfLarge(body) },
});

@Injectable()
export class DatasetStep implements OutsideStep {
  readonly isOutside = true;

  constructor(private readonly bus: Bus) {}

  async run(effect: Effect): Promise<unknown> {
    const { operation, ...request } = effect.input as unknown as DatasetStepInput & JsonObject;
    const contract: CallContract = DATASET_OPERATIONS[operation];
    checkRequest(contract.request, request);
    const writes = operation === 'insert' || operation === 'update' || operation === 'delete';
    const ctx = writes ? await writing(effect.ctx, contract.subject, effect, request) : effect.ctx;
    const answer = await rejectOnAbort(effect.signal, this.bus.call(contract, ctx, request));
    return resultOfOperation(operation, answer);
  }
}
