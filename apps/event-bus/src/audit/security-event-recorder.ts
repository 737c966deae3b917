import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';

/** Audit events for the people in charge of the Space. */
@Injectable()
export class SecurityEventRecorder {
  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  /** Never delays or fails what it records, and is not told again. */
  note(ctx: Ctx, action: string, target: string, details: JsonObject): void {
    this.bus.call(KeyCalls.recordSecurityEvent, ctx, { action, target, details }).catch((error: unknown) => {
      this.logger.warn({ err: error, action, target }, 'failed to record a security event');
    });
  }

  /** Once it returns, the event is recorded; one event for an id, however often it is told. */
  async record(ctx: Ctx, id: string, event: { action: string; target: string; details: JsonObject }): Promise<void> {
    await this.bus.call(KeyCalls.recordSecurityEvent, ctx, { id, ...event });
  }
}
