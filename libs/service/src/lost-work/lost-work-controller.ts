import { Controller, type Type } from '@nestjs/common';
import {
  type Ctx,
  type DeadLetterView,
  type DiscardDeadLetter,
  type Items,
  type LostWorkCalls,
  type LostWorkSlice,
  type PoisonedWorkView,
  type ServiceName,
  type WorkById,
} from '@switchyard/contracts';
import { type DeadLetter, Inbox } from '@switchyard/database';
import { isErrorCode } from '@switchyard/kernel';
import { Handles } from '@switchyard/messaging';
import { Logger } from '../logger';
import { PoisonedWork } from './poisoned-work';

/** The error's code: the rest of the message may contain data of the event. */
function reasonOf(error: string): string {
  const codes = error.split(/[^A-Z_]+/).filter(isErrorCode);
  return codes[0] ?? /^[A-Za-z]*Error/.exec(error)?.[0] ?? 'Error';
}

const deadLetterView =
  (service: ServiceName) =>
  ({ messageId, spaceId, name, bytes, attempts, error, firstAt, lastAt, requeuedAt }: DeadLetter): DeadLetterView => ({
    id: messageId,
    spaceId,
    service,
    event: name,
    bytes,
    attempts,
    reason: reasonOf(error),
    firstAt,
    lastAt,
    requeuedAt,
  });

/** Operators' routes for poisoned work and dead letters. */
export function lostWorkController(service: ServiceName, calls: LostWorkCalls): Type {
  const viewOf = deadLetterView(service);

  @Controller()
  class LostWorkController {
    constructor(
      private readonly poisoned: PoisonedWork,
      private readonly inbox: Inbox,
      private readonly logger: Logger,
    ) {}

    @Handles(calls.listPoisoned)
    async listPoisoned(slice: LostWorkSlice): Promise<Items<PoisonedWorkView>> {
      return { items: await this.poisoned.list(slice) };
    }

    @Handles(calls.retryPoisoned)
    async retryPoisoned({ id }: WorkById, ctx: Ctx): Promise<Items<PoisonedWorkView>> {
      const items = await this.poisoned.retry(id);
      if (items.length > 0)
        this.logger.info({ id, by: ctx.userId ?? ctx.credentialId }, 'retrying work that had failed for good');
      return { items };
    }

    @Handles(calls.listDeadLetters)
    async listDeadLetters(slice: LostWorkSlice): Promise<Items<DeadLetterView>> {
      return { items: (await this.inbox.listDead(slice)).map(viewOf) };
    }

    @Handles(calls.requeueDeadLetter)
    async requeueDeadLetter({ id }: WorkById): Promise<Items<DeadLetterView>> {
      return { items: (await this.inbox.requeueOne(id)).map(viewOf) };
    }

    @Handles(calls.discardDeadLetter)
    async discardDeadLetter({ id, reason }: DiscardDeadLetter, ctx: Ctx): Promise<Items<DeadLetterView>> {
      const items = (await this.inbox.discardDead(id)).map(viewOf);
      if (items.length > 0)
        this.logger.warn({ id, reason, by: ctx.userId ?? ctx.credentialId }, 'a dead letter was discarded');
      return { items };
    }
  }
  return LostWorkController;
}
