import { Injectable } from '@nestjs/common';
import { type Ctx, type PreflightReply, type PreflightRequest, RelayCalls, requireSpace } from '@switchyard/contracts';
import { jsonBytes, upToEntries } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { KeyLimitsCache } from '@switchyard/service';
import { LRUCache } from 'lru-cache';

interface Allowance {
  reply: PreflightReply;
  tokens: number;
  until: number;
}

const SPACES = 5_000;

/**
 * Whether a Space may begin a turn. If the relay reported enough headroom, it is not asked again for that time: the
 * reservation of the model call still decides. Larger changes are signalled to all agents before they are confirmed, on
 * the connection that delivers the next turn; after a reconnect the relay is asked again.
 */
@Injectable()
export class PreflightCache {
  /** By Space, and within it by model and fallback models. */
  private readonly allowances = new LRUCache<string, Map<string, Allowance>>(upToEntries(SPACES));
  /** Counts what was forgotten: an answer to a question from before must not be kept. */
  private changes = 0;

  constructor(
    private readonly bus: Bus,
    private readonly limits: KeyLimitsCache,
  ) {
    bus.onDown(() => {
      this.changes += 1;
      this.allowances.clear();
    });
  }

  /** Texts only: of those a byte is a token at most. */
  async ask(ctx: Ctx, request: PreflightRequest): Promise<PreflightReply> {
    const allowance = this.allowances.get(requireSpace(ctx))?.get(modelsOf(request));
    if (allowance && this.isEnough(allowance, request) && !(await this.isLimited(ctx))) return allowance.reply;
    const { changes } = this;
    const requestedAt = performance.now();
    const reply = await this.bus.call(RelayCalls.preflight, ctx, request);
    if (changes === this.changes && this.bus.isUp) this.keep(requireSpace(ctx), modelsOf(request), reply, requestedAt);
    return reply;
  }

  /** The Space's balance was changed by hand, or what it allows itself. */
  invalidate(spaceId: string): void {
    this.changes += 1;
    this.allowances.delete(spaceId);
  }

  private isEnough({ reply, tokens, until }: Allowance, { messages, maxTokens }: PreflightRequest): boolean {
    if (performance.now() >= until) return false;
    return jsonBytes(messages ?? []) + (maxTokens ?? reply.maxOutputTokens) <= tokens;
  }

  private async isLimited(ctx: Ctx): Promise<boolean> {
    const { dailyTokens, monthlyTokens } = await this.limits.of(ctx);
    return dailyTokens !== undefined || monthlyTokens !== undefined;
  }

  private keep(spaceId: string, requested: string, reply: PreflightReply, requestedAt: number): void {
    const models = this.allowances.get(spaceId) ?? new Map<string, Allowance>();
    if (reply.ample) {
      models.set(requested, { reply, tokens: reply.ample.tokens, until: requestedAt + reply.ample.forMs });
      this.allowances.set(spaceId, models);
    } else models.delete(requested);
  }
}

/** If the catalogue lacks the model, its first fallback that is offered answers in its place. */
const modelsOf = ({ model, fallbackModels = [] }: PreflightRequest): string => [model, ...fallbackModels].join('\n');
