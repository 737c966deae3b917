import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { type AccessRule, accessChange } from '../domain/access';

/** Keeps who may call which agent traceable. It never delays or fails what it records. */
@Injectable()
export class AccessAudit {
  constructor(
    private readonly bus: Bus,
    private readonly log: Logger,
  ) {}

  changed(ctx: Ctx, agentId: string, before: AccessRule, after: AccessRule): void {
    const details = accessChange(before, after);
    if (details) this.note(ctx, 'agent.access-changed', agentId, { ...details });
  }

  note(ctx: Ctx, action: string, target: string, details: Record<string, unknown>): void {
    this.bus.call(KeyCalls.recordSecurityEvent, ctx, { action, target, details }).catch((error: unknown) => {
      this.log.warn({ err: error, action, target }, 'failed to record a security event');
    });
  }
}
