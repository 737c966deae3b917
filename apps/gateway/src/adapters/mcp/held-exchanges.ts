import { Injectable } from '@nestjs/common';
import { GatewaySignals } from '@switchyard/contracts';
import type { Ctx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { JsonObject } from '@switchyard/kernel';

/** Sees an answer of its exchange; the context says whose it is. */
export type Hear = (message: JsonObject, ctx: Ctx) => void;

/** Requests that stay open while their client is asked something. Its answer may arrive at another replica. */
@Injectable()
export class HeldExchanges {
  private readonly open = new Map<string, Hear>();

  constructor(private readonly bus: Bus) {}

  hold(exchangeId: string, hear: Hear): () => void {
    this.open.set(exchangeId, hear);
    return () => this.open.delete(exchangeId);
  }

  /** An answer came in here. */
  deliver(exchangeId: string, message: JsonObject, ctx: Ctx): void {
    const hear = this.open.get(exchangeId);
    if (hear) hear(message, ctx);
    else this.bus.signal(GatewaySignals.mcpAnswered, ctx, { exchangeId, message });
  }

  /** An answer came in somewhere else. */
  hear(exchangeId: string, message: JsonObject, ctx: Ctx): void {
    this.open.get(exchangeId)?.(message, ctx);
  }
}
