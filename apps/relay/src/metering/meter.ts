import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type AmpleRoom, type Ctx, RelaySignals, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { GroupCommit } from '@switchyard/concurrency';
import { AppError, type Clock, backoffMs, newId, sleep, upToEntries } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { CLOCK, Logger, Metrics } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { AccountsRepository } from '../db/accounts.repository';
import {
  type Booked,
  BooksRepository,
  type CallFacts,
  type Due,
  type Lease,
  type Note,
  type Verdict,
  type Wanted,
} from '../db/books.repository';
import {
  AccountState,
  Caps,
  ampleTokens,
  dayOf,
  hasAmpleRoom,
  isRefusedForAhead,
  refusalOf,
  refuse,
  tokensAhead,
} from '../domain/admission';
import { type SpaceTerms, requireActive } from '../domain/space-terms';
import { type CallToMeter, dueOf, factsOf, leaseOf } from './entries';
import { Hold, Settlement } from './hold';
import { KeyAccounts } from './key-accounts';
import { type Ahead, Leases } from './leases';
import { SpaceCaps } from './space-caps';

/** What is written into the books: a call that ends, one that begins, or how far one has come. */
interface Entry {
  due?: Due;
  held?: Lease;
  wanted?: Wanted;
  note?: Hold;
}

interface Held {
  hold: Hold;
  facts: CallFacts;
  /** Its part of what this relay holds; a call of a limited key has a row of its own. */
  lease?: Lease;
}

/** An account as the books have last shown it, and the caps that its last call was held to. */
interface Seen {
  account: AccountState;
  caps?: Caps;
  at: number;
}

/** One batch at a time, whatever the Spaces. */
const LINE = 'all';
const SETTLE_PATIENCE_MS = 120_000;
/** For how long an account counts as known. */
const SEEN_MS = 5_000;
/** What another relay holds for calls to come is given back within so long of being asked. */
const GIVE_BACK_MS = 100;
/** Where it was asked back a moment ago, nothing is held ahead: who has asked would find that instead. */
const CALM_MS = 1_000;
/** For how long others need not ask: not so many begin meanwhile as there is room for. */
const AMPLE_MS = 1_000;

/** The door that every model call passes: nothing is sent to an upstream without a hold, and every hold ends. */
@Injectable()
export class Meter implements OnApplicationShutdown {
  readonly holder = newId();
  private readonly holds = new Map<string, Held>();
  private readonly leases = new Leases((spaceId, tokens, now) => this.aheadFor(spaceId, tokens, now));
  private readonly seen = new LRUCache<string, Seen>(upToEntries(20_000));
  private readonly line: GroupCommit<Entry, Verdict | null>;
  private readonly looks: GroupCommit<string, AccountState | null>;
  private unsettled = 0;
  /** Changed by hand since the batch that is out has begun: what it shows may be from before. */
  private readonly forgotten = new Set<string>();
  private readonly calmUntil = new LRUCache<string, number>(upToEntries(20_000));
  private readonly askingBack = new Map<string, Promise<void>>();
  private isStopping = false;
  private held: () => void = () => undefined;
  private moved: (spaceId: string) => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly books: BooksRepository,
    private readonly caps: SpaceCaps,
    private readonly keys: KeyAccounts,
    private readonly bus: Bus,
    private readonly logger: Logger,
    metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    // One line for both: two would wait for each other at the lock of the account.
    this.line = new GroupCommit((_line, entries) => this.book(entries), { items: 256, sendsNextFirst: true });
    this.looks = new GroupCommit((_line, spaceIds) => this.lookAtAll(spaceIds), { items: 256 });
    metrics.gauge('switchyard_relay_calls', 'Model calls that hold tokens at the moment.', [], (gauge) =>
      gauge.set(this.holds.size),
    );
    metrics.gauge('switchyard_relay_settlements_waiting', 'Settlements that are not stored yet.', [], (gauge) =>
      gauge.set(this.unsettled),
    );
  }

  /**
   * Holds the tokens of a call, or throws why it may not be made. Where there is ample room they are taken from what is
   * held ahead, and nobody is asked. Where that is used up, the hold is given before it stands: the upstream may be
   * asked meanwhile, and nothing of its answer may be passed on before `admission` has resolved.
   */
  async open(ctx: Ctx, call: CallToMeter): Promise<Hold> {
    const spaceId = requireSpace(ctx);
    const known = this.caps.get(ctx, spaceId);
    const caps = known instanceof Promise ? await known : known;
    requireActive(caps);
    const limits = this.keys.limitsOf(ctx);
    const key = this.keys.wanted(ctx, limits instanceof Promise ? await limits : limits);
    const facts = factsOf(ctx, call);
    const wanted = { spaceId, id: newId(), tokens: call.reserveTokens, facts, key };
    const lease = leaseOf(wanted);
    const isSure = lease !== undefined && this.hasAmpleRoom(caps, wanted);
    const isTaken = isSure && this.leases.take(lease);
    const admission = isTaken ? undefined : this.reserve(ctx, caps, wanted);
    if (!isSure) await admission;
    const hold = new Hold(spaceId, wanted.id, this, isSure ? admission : undefined);
    hold.isNoted = key !== undefined;
    this.holds.set(hold.id, { hold, facts, lease });
    this.held();
    admission?.catch(() => this.holds.delete(hold.id));
    return hold;
  }

  /** What the Space has left of the day, as its last reservation has shown; null without a daily cap. */
  dayOf(ctx: Ctx): ReturnType<typeof dayOf> | Promise<ReturnType<typeof dayOf>> {
    const seen = this.seen.get(requireSpace(ctx));
    if (!seen) return null;
    const told = (caps: Caps): ReturnType<typeof dayOf> => dayOf(caps, seen.account, this.clock.now());
    const caps = this.capsOf(ctx);
    return caps instanceof Promise ? caps.then(told) : told(caps);
  }

  capsOf(ctx: Ctx): SpaceTerms | Promise<SpaceTerms> {
    return this.caps.get(ctx, requireSpace(ctx));
  }

  /** The refusals that `open` would give, without holding anything. Where there is no doubt, nobody is asked. */
  async check(ctx: Ctx, tokens: number): Promise<void> {
    const spaceId = requireSpace(ctx);
    const caps = await this.capsOf(ctx);
    requireActive(caps);
    if (!this.hasAmpleRoom(caps, { spaceId, tokens })) {
      await this.line.flushed(LINE);
      const account = await this.account(ctx, spaceId);
      // What is held ahead goes back before anybody is refused for it: `open` sees to that.
      const refusal = refusalOf(caps, { ...account, ahead: 0 }, { countedTokens: 0 });
      if (refusal) throw refuse(refusal, this.clock.now());
    }
    await this.keys.check(ctx);
  }

  /** How large a call may be that nobody need ask about, and for how long; null where there is no telling. */
  async ample(ctx: Ctx): Promise<AmpleRoom | null> {
    const seen = this.seen.get(requireSpace(ctx));
    if (!seen || (await this.keys.areLimited(ctx))) return null;
    const caps = await this.capsOf(ctx);
    const tokens = Math.min(caps.requestTokenCap, ampleTokens(caps, seen.account));
    const forMs = Math.min(AMPLE_MS, SEEN_MS - (Date.now() - seen.at));
    return tokens > 0 && forMs > 0 ? { tokens, forMs } : null;
  }

  /** What this process has settled and let in is in what is read after it. */
  async flushed(): Promise<void> {
    await this.sayLeases().catch(() => undefined);
    await this.line.flushed(LINE);
  }

  async account(ctx: Ctx, spaceId: string): Promise<AccountState> {
    const found = await this.looks.add(LINE, spaceId);
    if (found) return found;
    const balance = await this.caps.startingTokens(ctx, spaceId);
    return { balance, reserved: 0, ahead: 0, dailyUsed: 0, monthlyUsed: 0 };
  }

  /** The account or its caps were changed: what the books have shown says nothing any more, and nothing is held ahead. */
  forgetSeen(spaceId: string): void {
    this.moved(spaceId);
    this.forgotten.add(spaceId);
    this.calmUntil.set(spaceId, Date.now() + CALM_MS);
    this.seen.delete(spaceId);
    if (this.leases.giveBack(spaceId)) this.line.add(LINE, {}).catch(() => undefined);
  }

  /** The account of a Space that has none yet. */
  async openAccount(ctx: Ctx, spaceId: string): Promise<void> {
    const tokens = await this.caps.startingTokens(ctx, spaceId);
    await this.database.system('open an account', (tx) => this.accounts.open(tx, spaceId, tokens));
  }

  /** Told whenever something is held: a call, or tokens that may be written although no answer says so. */
  onHeld(listener: () => void): void {
    this.held = listener;
  }

  /** Told of each Space whose account has moved. */
  onMoved(listener: (spaceId: string) => void): void {
    this.moved = listener;
  }

  /** Whether anything is held, for running calls or for those to come. */
  get isHolding(): boolean {
    return this.holds.size > 0 || !this.leases.isEmpty;
  }

  runningHolds(): Hold[] {
    return [...this.holds.values()].flatMap(({ hold }) => (hold.isEnding ? [] : [hold]));
  }

  /** Gives calls a row that tells how far they have come: what they hold alone is in the lease. */
  async note(holds: readonly Hold[]): Promise<void> {
    await Promise.all(
      holds.map(async (hold) => {
        await this.line.add(LINE, { note: hold });
        hold.isNoted = true;
      }),
    );
  }

  /** Writes what a lost answer has left in doubt, what was taken since, and gives back what nobody takes. */
  async sayLeases(): Promise<void> {
    this.leases.look();
    if (this.leases.isDue) await this.line.add(LINE, {});
  }

  /** This relay was silent for so long that another one may have freed what it holds. */
  async sayAllLeases(): Promise<void> {
    this.seen.clear();
    this.leases.doubtAll();
    await this.sayLeases();
  }

  /** What is held ahead would stay until this relay is taken for dead. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.sayAllLeases().catch(() => undefined);
  }

  async settle(hold: Hold, settlement: Settlement | null): Promise<void> {
    const held = this.holds.get(hold.id);
    this.unsettled += 1;
    try {
      await this.store({ due: dueOf(hold, held?.facts, settlement), held: held?.lease });
    } finally {
      this.unsettled -= 1;
      this.holds.delete(hold.id);
    }
  }

  private async reserve(ctx: Ctx, caps: Caps, call: Omit<Wanted, keyof Caps>): Promise<void> {
    const { minimumBalance, dailyTokenCap, monthlyTokenCap, isUnmetered } = caps;
    const wanted = { ...call, minimumBalance, dailyTokenCap, monthlyTokenCap, isUnmetered };
    let verdict = await this.admit(ctx, wanted);
    if (!verdict.admitted && isRefusedForAhead(caps, verdict)) {
      await this.askBackAhead(ctx, wanted.spaceId);
      verdict = await this.admit(ctx, wanted);
    }
    if (!verdict.admitted) throw this.refusal(caps, wanted, verdict);
  }

  /** Whether what the books have last shown of the Space leaves no doubt about this call. */
  private hasAmpleRoom(caps: Caps, { spaceId, tokens }: Pick<Wanted, 'spaceId' | 'tokens'>): boolean {
    const seen = this.seen.get(spaceId);
    if (!seen || Date.now() - seen.at >= SEEN_MS) return false;
    seen.caps = caps;
    return hasAmpleRoom(caps, seen.account, tokens);
  }

  private aheadFor(spaceId: string, tokens: number, { held, more }: Ahead): number {
    const { account, caps, at = 0 } = this.seen.get(spaceId) ?? {};
    const now = Date.now();
    if (!account || !caps || now - at >= SEEN_MS || now < (this.calmUntil.get(spaceId) ?? 0) || this.isStopping)
      return 0;
    return tokensAhead(caps, { ...account, ahead: account.ahead + more }, tokens, held);
  }

  private async admit(ctx: Ctx, wanted: Wanted): Promise<Verdict> {
    let verdict = await this.line.add(LINE, { wanted });
    if (!verdict) {
      await this.openAccount(ctx, wanted.spaceId);
      verdict = await this.line.add(LINE, { wanted });
    }
    if (verdict?.keyMissing === true && wanted.key) {
      await this.keys.open(wanted.spaceId, wanted.key);
      verdict = await this.line.add(LINE, { wanted });
    } else if (verdict?.admitted === false && this.unsettled > 0) {
      // A call that has been answered may still hold its tokens for a moment: that must not refuse the next one.
      await this.line.flushed(LINE);
      verdict = await this.line.add(LINE, { wanted });
    }
    if (!verdict) throw new Error('the account of a Space was made and is not there');
    return verdict;
  }

  /** What relays hold for calls to come goes back: their own at once, that of others when they have heard of it. */
  private askBackAhead(ctx: Ctx, spaceId: string): Promise<void> {
    const asking = this.askingBack.get(spaceId);
    if (asking) return asking;
    this.forgetSeen(spaceId);
    this.bus.signal(RelaySignals.accountChanged, ctx, { spaceId });
    const asked = sleep(GIVE_BACK_MS).finally(() => this.askingBack.delete(spaceId));
    this.askingBack.set(spaceId, asked);
    return asked;
  }

  /** The Space's own limits are named before those of the key. */
  private refusal(caps: Caps, { key }: Wanted, verdict: Verdict): AppError {
    const asked = { countedTokens: 0 };
    const ofSpace = refusalOf(caps, { ...verdict, ahead: 0 }, asked) ?? refusalOf(caps, verdict, asked);
    const ofKey = ofSpace === null ? this.keys.refusalOf(key, verdict) : null;
    return ofKey ?? refuse(ofSpace ?? 'INSUFFICIENT_TOKENS', this.clock.now());
  }

  private async book(entries: Entry[]): Promise<(Verdict | null)[]> {
    const wanted = entries.flatMap((entry) => entry.wanted ?? []);
    const beginning = wanted.map(leaseOf);
    const ending = entries.flatMap(({ held }) => held ?? []);
    const leases = this.leases.without(
      ending,
      beginning.flatMap((lease) => lease ?? []),
    );
    if (leases.length > 0) this.held();
    this.forgotten.clear();
    // A process that stood still while this was written must not take it for news.
    const at = Date.now();
    let booked: Booked;
    try {
      booked = await this.books.book(this.database, this.holder, {
        settled: entries.flatMap(({ due }) => due ?? []),
        wanted,
        leases,
        notes: entries.flatMap(({ note }) => this.noteOf(note) ?? []),
      });
    } catch (error) {
      this.leases.doubt(leases);
      throw error;
    }
    const { verdicts, accounts } = booked;
    for (const { due } of entries) if (due) this.moved(due.spaceId);
    this.leases.written(
      leases,
      ending,
      beginning.flatMap((lease, place) => (lease && verdicts[place]?.admitted === true ? lease : [])),
    );
    for (const [spaceId, account] of accounts) this.see(spaceId, account, at);
    wanted.forEach(({ spaceId }, place) => this.see(spaceId, verdicts[place], at));
    let next = 0;
    return entries.map((entry) => (entry.wanted ? (verdicts[next++] ?? null) : null));
  }

  private see(spaceId: string, account: AccountState | null | undefined, at: number): void {
    if (!account || this.forgotten.has(spaceId)) return;
    this.seen.set(spaceId, { account, caps: this.seen.get(spaceId)?.caps, at });
  }

  private noteOf(hold: Hold | undefined): Note | null {
    const facts = hold && this.holds.get(hold.id)?.facts;
    return facts ? { spaceId: hold.spaceId, id: hold.id, facts, seenTokens: hold.seenTokens ?? 0 } : null;
  }

  private async lookAtAll(spaceIds: string[]): Promise<(AccountState | null)[]> {
    const found = await this.accounts.findAll(this.database, spaceIds);
    return spaceIds.map((spaceId) => found.get(spaceId) ?? null);
  }

  /** While the database is away the settlement waits here; should this process die first, a sweeper settles the call. */
  private async store(entry: Entry & { due: Due }): Promise<void> {
    const end = Date.now() + SETTLE_PATIENCE_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.line.add(LINE, entry);
        return;
      } catch (error) {
        const isBusy = error instanceof AppError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'CONFLICT');
        if (!isBusy || Date.now() > end) {
          this.logger.error(
            { err: error, call: entry.due.id },
            'a model call could not be settled; what it holds will be swept',
          );
          return;
        }
        await sleep(backoffMs(attempt, { baseMs: 50, maxMs: 5_000 }));
      }
    }
  }
}
