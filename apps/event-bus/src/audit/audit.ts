import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';

/** What a person in charge of the Space may have to look up later. It never delays or fails what it records. */
@Injectable()
export class Audit {
  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  note(ctx: Ctx, action: string, target: string, details: JsonObject): void {
    this.bus.call(KeyCalls.recordSecurityEvent, ctx, { action, target, details }).catch((error: unknown) => {
      this.logger.warn({ err: error, action, target }, 'a security event was not recorded');
    });
  }
}
