import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';

type FailedWorkAction = 'work.retried' | 'dead-letter.requeued' | 'dead-letter.discarded';

/** Records operators' actions on poisoned work as security events of its Space, or of the platform. */
@Injectable()
export class FailedWorkAudit {
  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  /** The action is done already: a failure to record it is logged and does not fail the request. */
  async record(
    ctx: Ctx,
    action: FailedWorkAction,
    spaceId: string | null,
    target: string,
    details: JsonObject,
  ): Promise<void> {
    try {
      await this.bus.call(KeyCalls.recordSecurityEvent, { ...ctx, spaceId }, { action, target, details });
    } catch (error) {
      this.logger.error(
        { err: error, action, target, spaceId, ...details },
        'failed to record the action of an operator',
      );
    }
  }
}
