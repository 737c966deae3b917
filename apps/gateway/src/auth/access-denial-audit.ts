import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls } from '@switchyard/contracts';
import type { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

/** One line a minute for what one credential is refused again and again: a client in a loop must not fill the log. */
const ONCE_MS = 60_000;
const REMEMBERED = 10_000;
const TARGET_CHARS = 200;

/** Keeps traceable who tried what they may not. It never delays the answer. */
@Injectable()
export class AccessDenialAudit {
  private readonly recorded = new LRUCache<string, true>({ ...upToEntries(REMEMBERED), ttl: ONCE_MS });

  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  note(ctx: Ctx | undefined, method: string, url: string, error: AppError): void {
    if (error.code !== 'FORBIDDEN' || !ctx?.spaceId) return;
    const target = `${method} ${url.split('?', 1)[0] ?? ''}`.slice(0, TARGET_CHARS);
    const name = `${ctx.spaceId} ${ctx.credentialId ?? ctx.userId ?? ''} ${target}`;
    if (this.recorded.has(name)) return;
    this.recorded.set(name, true);
    const event = { action: 'access.denied', target, details: { reason: error.message } };
    this.bus.call(KeyCalls.recordSecurityEvent, { ...ctx, deadline: 0 }, event).catch((failure: unknown) => {
      this.recorded.delete(name);
      this.logger.warn({ err: failure, target }, 'failed to record a denied request');
    });
  }
}
