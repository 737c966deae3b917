import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type AmpleRoom, type Ctx, RelaySignals, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { Batcher } from '@switchyard/concurrency';
import { type AppError, type Clock, newId, sleep, upToEntries } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { CLOCK, Logger, Metrics } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { TokenAccountsRepository } from '../db/token-accounts.repository';
import {
  type Booked,
  LedgerBatchRepository,
  type CallFacts,
  type Due,
  type Lease,
  type Note,
  type AdmissionResult,
  type CallReservation,
} from '../db/ledger-batch.repository';
import { LocalJournal } from '../journal/local-journal';
import {
  AccountState,
  Caps,
  ampleTokens,
  dayOf,
  hasHeadroom,
  isRefusedForPreleased,
  refusalOf,
  preleasedTokens,
} from '../domain/budget-check';
import { refuseWithin } from '../domain/reached-limits';
import { type SpaceTerms, requireActive } from '../domain/space-spending-limits';
import { type CallToMeter, dueOf, factsOf, leaseOf } from './ledger-entries';
import { TokenReservation, Settlement } from './token-reservation';
import { KeyTokenLimits } from './key-token-limits';
import { SettlementStore } from './settlement-store';
import { type Preleased, TokenLeases } from './token-leases';
import { SpendingLimitsCache } from './spending-limits-cache';

/** An entry of a ledger batch: a call that ends, one that begins, or the progress of one. */
interface LedgerEntry {
  due?: Due;
  lease?: Lease;
  reservation?: CallReservation;
  note?: TokenReservation;
}

interface Reserved {
  hold: TokenReservation;
  facts: CallFacts;
  /** Its part of the lease; a call of a limited key has its own row. */
  lease?: Lease;
}

/** An account as last read, and the caps applied to its last call. */
interface LastRead {
  account: AccountState;
  caps?: Caps;
  at: number;
}

/** One batch at a time, for all Spaces. */
const ALL_SPACES = 'all';
const BATCHES = { items: 256, retriesOneByOne: true };
/** How long a read balance is used. */
const READ_FRESH_MS = 5_000;
/** Other relays return preleased tokens within this time. */
const RECLAIM_WAIT_MS = 100;
/** After a reclaim, prelease nothing for this long, or the reclaiming relay would find the new lease. */
const LEASE_COOLDOWN_MS = 1_000;
/** How long others need not ask: fewer calls begin in that time than the headroom allows. */
const AMPLE_MS = 1_000;

/** Every model call reserves tokens before it is sent, and every reservation is settled. */
@Injectable()
export class LedgerWriter implements OnApplicationShutdown {
  readonly holder: string;
  readonly settlements: SettlementStore;
  private readonly holds = new Map<string, Reserved>();
  private readonly leases = new TokenLeases((spaceId, tokens, now) => this.leaseSizeFor(spaceId, tokens, now));
  private readonly lastReads = new LRUCache<string, LastRead>(upToEntries(20_000));
  private readonly writes: Batcher<LedgerEntry, AdmissionResult | null>;
  private readonly reads: Batcher<string, AccountState | null>;
  /** Accounts changed since the current batch began: its result may be older than the change. */
  private readonly invalidated = new Set<string>();
  private readonly cooldownUntil = new LRUCache<string, number>(upToEntries(20_000));
  private readonly reclaims = new Map<string, Promise<void>>();
  private stopping: Promise<void> | undefined;
  private notifyReserved: () => void = () => undefined;
  private moved: (spaceId: string) => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly accounts: TokenAccountsRepository,
    private readonly ledger: LedgerBatchRepository,
    private readonly caps: SpendingLimitsCache,
    private readonly keys: KeyTokenLimits,
    private readonly bus: Bus,
    logger: Logger,
    metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
    journal: LocalJournal,
  ) {
    this.holder = journal.holder;
    // One queue for both: two would block each other at the account's lock.
    this.writes = new Batcher((entries) => this.book(entries), { ...BATCHES, sendsNextFirst: true });
    this.reads = new Batcher((spaceIds) => this.readAccounts(spaceIds), BATCHES);
    metrics.gauge('switchyard_relay_calls', 'Model calls that have tokens reserved.', [], (gauge) =>
      gauge.set(this.holds.size),
    );
    this.settlements = new SettlementStore((owed) => this.writes.add(ALL_SPACES, owed), journal, logger, metrics);
  }

  /**
   * Reserves the tokens of a call, or throws the refusal. With enough preleased tokens no write is needed. Otherwise
   * the reservation is returned while its write runs: the upstream request may start, and its answer may be passed on
   * once `admission` has resolved.
   */
  async open(ctx: Ctx, call: CallToMeter): Promise<TokenReservation> {
    const spaceId = requireSpace(ctx);
    const terms = this.caps.get(ctx, spaceId);
    const caps = terms instanceof Promise ? await terms : terms;
    requireActive(caps);
    const limits = this.keys.limitsOf(ctx);
    const key = this.keys.reservationFor(ctx, limits instanceof Promise ? await limits : limits);
    const facts = factsOf(ctx, call);
    const reservation = { spaceId, id: newId(), tokens: call.reserveTokens, facts, key };
    const lease = leaseOf(reservation);
    const isSure = lease !== undefined && this.hasHeadroom(caps, reservation);
    const isTaken = isSure && this.leases.take(lease);
    const admission = isTaken ? undefined : this.reserve(ctx, caps, reservation);
    if (!isSure) await admission;
    const tokenReservation = new TokenReservation(spaceId, reservation.id, this, isSure ? admission : undefined);
    tokenReservation.isNoted = key !== undefined;
    this.holds.set(tokenReservation.id, { hold: tokenReservation, facts, lease });
    this.notifyReserved();
    admission?.catch(() => this.holds.delete(tokenReservation.id));
    return tokenReservation;
  }

  /** Remaining tokens of the day, by the last reservation; null without a daily cap. */
  dayOf(ctx: Ctx): ReturnType<typeof dayOf> | Promise<ReturnType<typeof dayOf>> {
    const last = this.lastReads.get(requireSpace(ctx));
    if (!last) return null;
    const today = (caps: Caps): ReturnType<typeof dayOf> => dayOf(caps, last.account, this.clock.now());
    const caps = this.capsOf(ctx);
    return caps instanceof Promise ? caps.then(today) : today(caps);
  }

  capsOf(ctx: Ctx): SpaceTerms | Promise<SpaceTerms> {
    return this.caps.get(ctx, requireSpace(ctx));
  }

  /** The refusals of `open`, without a reservation. Uses the last balance if it has enough headroom. */
  async check(ctx: Ctx, tokens: number): Promise<void> {
    const spaceId = requireSpace(ctx);
    const caps = await this.capsOf(ctx);
    requireActive(caps);
    if (!this.hasHeadroom(caps, { spaceId, tokens })) {
      await this.booked();
      const account = await this.account(ctx, spaceId);
      // Preleased tokens are reclaimed before a call is refused for them; see `open`.
      const refusal = refusalOf(caps, { ...account, ahead: 0 }, { countedTokens: 0 });
      if (refusal) throw refuseWithin(caps, refusal, this.clock.now());
    }
    if (this.settlements.unbooked > 0 && (await this.keys.areLimited(ctx))) await this.booked();
    await this.keys.check(ctx);
  }

  /** The size of a call that needs no check, and for how long; null if unknown. */
  async ample(ctx: Ctx): Promise<AmpleRoom | null> {
    const last = this.lastReads.get(requireSpace(ctx));
    if (!last || (await this.keys.areLimited(ctx))) return null;
    const caps = await this.capsOf(ctx);
    const tokens = Math.min(caps.requestTokenCap, ampleTokens(caps, last.account));
    const forMs = Math.min(AMPLE_MS, READ_FRESH_MS - (Date.now() - last.at));
    return tokens > 0 && forMs > 0 ? { tokens, forMs } : null;
  }

  /** Later reads include the calls that this process has settled and admitted. */
  async flushed(): Promise<void> {
    await this.flushLeases().catch(() => undefined);
    await this.booked();
  }

  private async booked(): Promise<void> {
    await this.settlements.flushed();
    await this.writes.flushed(ALL_SPACES);
  }

  async account(ctx: Ctx, spaceId: string): Promise<AccountState> {
    const found = await this.reads.add(ALL_SPACES, spaceId);
    if (found) return found;
    const balance = await this.caps.startingTokens(ctx, spaceId);
    return { balance, reserved: 0, ahead: 0, dailyUsed: 0, monthlyUsed: 0 };
  }

  /** The account or its caps changed: drops the last balance and the preleased tokens. */
  invalidateBalance(spaceId: string): void {
    this.moved(spaceId);
    this.invalidated.add(spaceId);
    this.cooldownUntil.set(spaceId, Date.now() + LEASE_COOLDOWN_MS);
    this.lastReads.delete(spaceId);
    if (this.leases.giveBack(spaceId)) this.writes.add(ALL_SPACES, {}).catch(() => undefined);
  }

  /** Creates the account of a Space. */
  async openAccount(ctx: Ctx, spaceId: string): Promise<void> {
    const tokens = await this.caps.startingTokens(ctx, spaceId);
    await this.database.system('open an account', (tx) => this.accounts.open(tx, spaceId, tokens));
  }

  /** Called for each reservation, also for one whose write may have succeeded without an answer. */
  onReserved(listener: () => void): void {
    this.notifyReserved = listener;
  }

  /** Called for each Space whose account has changed. */
  onMoved(listener: (spaceId: string) => void): void {
    this.moved = listener;
  }

  /** Whether tokens are reserved or preleased. */
  get isHolding(): boolean {
    return this.holds.size > 0 || !this.leases.isEmpty;
  }

  runningHolds(): TokenReservation[] {
    return [...this.holds.values()].flatMap(({ hold }) => (hold.isEnding ? [] : [hold]));
  }

  /** Writes a row with the progress of each call; their reservations alone are in the lease. */
  async note(holds: readonly TokenReservation[]): Promise<void> {
    await Promise.all(
      holds.map(async (tokenReservation) => {
        await this.writes.add(ALL_SPACES, { note: tokenReservation });
        tokenReservation.isNoted = true;
      }),
    );
  }

  /** Writes leases that are unconfirmed or have changed, and returns unused tokens. */
  async flushLeases(): Promise<void> {
    this.leases.look();
    if (this.leases.isDue) await this.writes.add(ALL_SPACES, {});
  }

  /** This relay was silent for so long that another one may have released its leases. */
  async flushAllLeases(): Promise<void> {
    this.lastReads.clear();
    this.leases.invalidateAll();
    await this.flushLeases();
  }

  /** Otherwise preleased tokens would stay until this relay counts as dead. */
  onApplicationShutdown(): Promise<void> {
    this.stopping ??= this.returnReserved();
    return this.stopping;
  }

  /** Books what has ended, and then returns the tokens that are left. */
  async returnReserved(): Promise<void> {
    await this.settlements
      .flushed()
      .then(() => this.flushAllLeases())
      .catch(() => undefined);
  }

  async settle(tokenReservation: TokenReservation, settlement: Settlement | null): Promise<void> {
    const reserved = this.holds.get(tokenReservation.id);
    const due = dueOf(tokenReservation, reserved?.facts, settlement);
    await this.settlements.store({ due, lease: reserved?.lease }, () => this.holds.delete(tokenReservation.id));
  }

  private async reserve(ctx: Ctx, caps: Caps, call: Omit<CallReservation, keyof Caps>): Promise<void> {
    const { minimumBalance, dailyTokenCap, monthlyTokenCap, isUnmetered } = caps;
    const check = { ...call, minimumBalance, dailyTokenCap, monthlyTokenCap, isUnmetered };
    let admission = await this.admit(ctx, check);
    if (!admission.admitted && isRefusedForPreleased(caps, admission)) {
      await this.reclaimTokenLeases(ctx, check.spaceId);
      admission = await this.admit(ctx, check);
    }
    if (!admission.admitted) throw this.refusal(caps, check, admission);
  }

  /** Whether the last balance surely allows this call. */
  private hasHeadroom(caps: Caps, { spaceId, tokens }: Pick<CallReservation, 'spaceId' | 'tokens'>): boolean {
    const last = this.lastReads.get(spaceId);
    if (!last || Date.now() - last.at >= READ_FRESH_MS) return false;
    last.caps = caps;
    return hasHeadroom(caps, last.account, tokens);
  }

  private leaseSizeFor(spaceId: string, tokens: number, { own, more }: Preleased): number {
    const { account, caps, at = 0 } = this.lastReads.get(spaceId) ?? {};
    const now = Date.now();
    if (
      !account ||
      !caps ||
      now - at >= READ_FRESH_MS ||
      now < (this.cooldownUntil.get(spaceId) ?? 0) ||
      this.stopping !== undefined
    )
      return 0;
    return preleasedTokens(caps, { ...account, ahead: account.ahead + more }, tokens, own);
  }

  private async admit(ctx: Ctx, reservation: CallReservation): Promise<AdmissionResult> {
    let admission = await this.writes.add(ALL_SPACES, { reservation });
    if (!admission) {
      await this.openAccount(ctx, reservation.spaceId);
      admission = await this.writes.add(ALL_SPACES, { reservation });
    }
    if (admission?.keyMissing === true && reservation.key) {
      await this.keys.open(reservation.spaceId, reservation.key);
      admission = await this.writes.add(ALL_SPACES, { reservation });
    }
    if (admission?.admitted === false && this.settlements.unsettled > 0) {
      // A call that has just ended may still have its reservation: that must not refuse the next one.
      await this.booked();
      admission = await this.writes.add(ALL_SPACES, { reservation });
    }
    if (!admission) throw new Error('the account of a Space was made and is not there');
    return admission;
  }

  /** Reclaims preleased tokens: those of this relay at once, those of others after a signal. */
  private reclaimTokenLeases(ctx: Ctx, spaceId: string): Promise<void> {
    const running = this.reclaims.get(spaceId);
    if (running) return running;
    this.invalidateBalance(spaceId);
    this.bus.signal(RelaySignals.accountChanged, ctx, { spaceId });
    const reclaiming = sleep(RECLAIM_WAIT_MS).finally(() => this.reclaims.delete(spaceId));
    this.reclaims.set(spaceId, reclaiming);
    return reclaiming;
  }

  /** The Space's own limits are named before those of the key. */
  private refusal(caps: Caps, { key }: CallReservation, admission: AdmissionResult): AppError {
    const params = { countedTokens: 0 };
    const ofSpace = refusalOf(caps, { ...admission, ahead: 0 }, params) ?? refusalOf(caps, admission, params);
    const ofKey = ofSpace === null ? this.keys.refusalOf(key, admission) : null;
    return ofKey ?? refuseWithin(caps, ofSpace ?? 'INSUFFICIENT_TOKENS', this.clock.now());
  }

  private async book(entries: LedgerEntry[]): Promise<(AdmissionResult | null)[]> {
    const reservations = entries.flatMap((entry) => entry.reservation ?? []);
    const beginning = reservations.map(leaseOf);
    const ending = entries.flatMap(({ lease }) => lease ?? []);
    const leases = this.leases.without(
      ending,
      beginning.flatMap((lease) => lease ?? []),
    );
    if (leases.length > 0) this.notifyReserved();
    this.invalidated.clear();
    // If this process was paused during the write, the result may be stale.
    const at = Date.now();
    let booked: Booked;
    try {
      booked = await this.ledger.book(this.database, this.holder, {
        settled: entries.flatMap(({ due }) => due ?? []),
        reservations,
        leases,
        notes: entries.flatMap(({ note }) => this.noteOf(note) ?? []),
      });
    } catch (error) {
      this.leases.invalidate(leases);
      throw error;
    }
    const { admissions, accounts } = booked;
    for (const { due } of entries) if (due) this.moved(due.spaceId);
    this.leases.written(
      leases,
      ending,
      beginning.flatMap((lease, index) => (lease && admissions[index]?.admitted === true ? lease : [])),
    );
    for (const [spaceId, account] of accounts) this.remember(spaceId, account, at);
    reservations.forEach(({ spaceId }, index) => this.remember(spaceId, admissions[index], at));
    let next = 0;
    return entries.map((entry) => (entry.reservation ? (admissions[next++] ?? null) : null));
  }

  private remember(spaceId: string, account: AccountState | null | undefined, at: number): void {
    if (!account || this.invalidated.has(spaceId)) return;
    this.lastReads.set(spaceId, { account, caps: this.lastReads.get(spaceId)?.caps, at });
  }

  private noteOf(hold: TokenReservation | undefined): Note | null {
    const facts = hold && this.holds.get(hold.id)?.facts;
    return facts ? { spaceId: hold.spaceId, id: hold.id, facts, seenTokens: hold.seenTokens ?? 0 } : null;
  }

  private async readAccounts(spaceIds: string[]): Promise<(AccountState | null)[]> {
    const found = await this.accounts.findAll(this.database, spaceIds);
    return spaceIds.map((spaceId) => found.get(spaceId) ?? null);
  }
}
