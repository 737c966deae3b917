import { Inject, Injectable } from '@nestjs/common';
import { type CountedLimits, type Ctx, type KeyLimits, type KeyUsage, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError, type Clock, type ReachedLimit } from '@switchyard/kernel';
import { CLOCK, KeyLimitsCache, Metrics } from '@switchyard/service';
import type { AdmissionResult, KeyReservation } from '../db/ledger-batch.repository';
import { KeyAccountsRepository, type KeyUse } from '../db/key-accounts.repository';
import { nextMidnight, nextMonth } from '../domain/budget-check';
import { withLimit } from '../domain/reached-limits';
import { hasTokenLimits, type KeyRefusal, keyRefusalOf, refuseKey } from '../domain/key-budget-check';

/** The token limits of callers' keys: what they are, what is used of them, and why a call is refused for them. */
@Injectable()
export class KeyTokenLimits {
  private readonly refusals;

  constructor(
    private readonly database: Database,
    private readonly accounts: KeyAccountsRepository,
    private readonly limits: KeyLimitsCache,
    metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.refusals = metrics.counter(
      'switchyard_relay_key_refusals_total',
      'Model calls that were rejected because of a token limit of their API key.',
      ['code'],
    );
  }

  limitsOf(ctx: Ctx): CountedLimits | Promise<CountedLimits> {
    return this.limits.of(ctx);
  }

  async areLimited(ctx: Ctx): Promise<boolean> {
    return this.reservationFor(ctx, await this.limits.of(ctx)) !== undefined;
  }

  /** The reservation on the call's key; none if the key has no token limits and was created by a person. */
  reservationFor(ctx: Ctx, limits: CountedLimits): KeyReservation | undefined {
    const { dailyTokens = null, monthlyTokens = null, makers = [] } = limits;
    if (ctx.credentialId === null || (!hasTokenLimits(limits) && makers.length === 0)) return undefined;
    return {
      id: ctx.credentialId,
      dailyTokens,
      monthlyTokens,
      makers: makers.map(({ keyId, ...own }) => ({
        id: keyId,
        daily: own.dailyTokens ?? null,
        monthly: own.monthlyTokens ?? null,
      })),
    };
  }

  /** The accounts of its makers first, because the use of a key is added to them. */
  open(spaceId: string, key: KeyReservation): Promise<void> {
    const chain = [key.id, ...key.makers.map(({ id }) => id)];
    return this.database.system('open the account of a key', async (tx) => {
      for (const [at, id] of [...chain.entries()].toReversed())
        await this.accounts.open(tx, spaceId, id, chain[at + 1] ?? null);
    });
  }

  /** Why a reservation was refused for the key; null where it was not. */
  refusalOf(key: KeyReservation | undefined, admission: AdmissionResult): AppError | null {
    if (!key) return null;
    if (admission.makerRefusal) return this.refused(admission.makerRefusal, null);
    return this.refuse(limitsIn(key), key.id, {
      reserved: admission.keyReserved ?? 0,
      dailyUsed: admission.keyDailyUsed ?? 0,
      monthlyUsed: admission.keyMonthlyUsed ?? 0,
    });
  }

  /** The refusals of a reservation, without one. */
  async check(ctx: Ctx): Promise<void> {
    const limits = await this.limits.of(ctx);
    const key = this.reservationFor(ctx, limits);
    if (!key) return;
    const spaceId = requireSpace(ctx);
    const refusal = this.refuse(limits, key.id, await this.useOf(spaceId, key.id));
    if (refusal) throw refusal;
    for (const maker of limits.makers ?? []) {
      const ofMaker = hasTokenLimits(maker)
        ? this.refuse(maker, maker.keyId, await this.useOf(spaceId, maker.keyId))
        : null;
      if (ofMaker) throw ofMaker;
    }
  }

  async usage(spaceId: string, keyId: string, limits: KeyLimits): Promise<KeyUsage> {
    const { reserved, dailyUsed, monthlyUsed } = await this.useOf(spaceId, keyId);
    const now = this.clock.now();
    return {
      dailyTokens: {
        used: dailyUsed,
        reserved,
        cap: limits.dailyTokens ?? null,
        resetsAt: nextMidnight(now).toISOString(),
      },
      monthlyTokens: {
        used: monthlyUsed,
        reserved,
        cap: limits.monthlyTokens ?? null,
        resetsAt: nextMonth(now).toISOString(),
      },
    };
  }

  private async useOf(spaceId: string, keyId: string): Promise<KeyUse> {
    const found = await this.accounts.find(this.database, spaceId, keyId);
    return found ?? this.database.inSpace(spaceId, (tx) => this.accounts.count(tx, spaceId, keyId));
  }

  private refuse(limits: KeyLimits, keyId: string, use: KeyUse): AppError | null {
    const refusal = keyRefusalOf(limits, use);
    if (refusal === null) return null;
    return this.refused(refusal, keyLimitOf(limits, keyId, refusal, this.clock.now()));
  }

  private refused(refusal: KeyRefusal, limit: ReachedLimit | null): AppError {
    this.refusals.inc({ code: refusal });
    return withLimit(refuseKey(refusal, this.clock.now()), limit);
  }
}

const limitsIn = ({ dailyTokens, monthlyTokens }: KeyReservation): KeyLimits => ({
  ...(dailyTokens === null ? {} : { dailyTokens }),
  ...(monthlyTokens === null ? {} : { monthlyTokens }),
});

function keyLimitOf(limits: KeyLimits, keyId: string, refusal: KeyRefusal, now: Date): ReachedLimit | null {
  const isOfDay = refusal === 'DAILY_LIMIT_EXCEEDED';
  const value = isOfDay ? limits.dailyTokens : limits.monthlyTokens;
  if (value === undefined) return null;
  const limit = `keys/${keyId}/${isOfDay ? 'dailyTokens' : 'monthlyTokens'}`;
  return { limit, value, until: (isOfDay ? nextMidnight(now) : nextMonth(now)).toISOString() };
}
