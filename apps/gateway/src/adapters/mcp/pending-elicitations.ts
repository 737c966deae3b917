import { Injectable } from '@nestjs/common';
import { GatewaySignals } from '@switchyard/contracts';
import type { Ctx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { JsonObject } from '@switchyard/kernel';

/** Sees an answer of its exchange; the context says whose it is. */
export type ElicitationListener = (message: JsonObject, ctx: Ctx) => void;

/** Requests that stay open while their client is asked something. Its answer may arrive at another replica. */
@Injectable()
export class PendingElicitations {
  private readonly open = new Map<string, ElicitationListener>();

  constructor(private readonly bus: Bus) {}

  hold(exchangeId: string, deliver: ElicitationListener): () => void {
    this.open.set(exchangeId, deliver);
    return () => this.open.delete(exchangeId);
  }

  /** An answer came in here. */
  deliver(exchangeId: string, message: JsonObject, ctx: Ctx): void {
    const deliver = this.open.get(exchangeId);
    if (deliver) deliver(message, ctx);
    else this.bus.signal(GatewaySignals.mcpAnswered, ctx, { exchangeId, message });
  }

  /** An answer came in somewhere else. */
  listener(exchangeId: string, message: JsonObject, ctx: Ctx): void {
    this.open.get(exchangeId)?.(message, ctx);
  }
}
