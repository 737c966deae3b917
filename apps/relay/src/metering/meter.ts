import { Inject, Injectable } from '@nestjs/common';
import { type AmpleRoom, Attribution, type Ctx, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError, type Clock, GroupCommit, backoffMs, newId, sleep } from '@switchyard/kernel';
import { CLOCK, Logger, Metrics } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { AccountsRepository } from '../db/accounts.repository';
import {
  BooksRepository,
  type CallFacts,
  type Due,
  type Lease,
  type Note,
  type Verdict,
  type Wanted,
  leaseKeyOf,
} from '../db/books.repository';
import { AccountState, Caps, ampleTokens, dayOf, hasAmpleRoom, refusalOf, refuse } from '../domain/admission';
import { RelayConfig } from '../relay.config';
import { Hold, Settlement } from './hold';
import { KeyAccounts } from './key-accounts';
import { Leases } from './leases';
import { SpaceCaps } from './space-caps';

export interface CallToMeter {
  model: string;
  /** The prompt, as well as it is known before the call. */
  promptTokens: number;
  /** What is held: the prompt and the longest answer. */
  reserveTokens: number;
  attribution: Attribution;
  requestKey?: string;
}

/** What is written into the books: a call that ends, one that begins, or how far one has come. */
interface Entry {
  due?: Due;
  /** What the call that ends has held. */
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

/** One batch at a time, whatever the Spaces. */
const LINE = 'all';
const SETTLE_PATIENCE_MS = 120_000;
/** For how long an account counts as known. */
const SEEN_MS = 5_000;
/** For how long others need not ask: not so many begin meanwhile as there is room for. */
const AMPLE_MS = 1_000;

/** The door that every model call passes: nothing is sent to an upstream without a hold, and every hold ends. */
@Injectable()
export class Meter {
  readonly holder = newId();
  private readonly holds = new Map<string, Held>();
  private readonly leases = new Leases();
  private readonly seen = new LRUCache<string, { account: AccountState; at: number }>({ max: 20_000 });
  private readonly line: GroupCommit<Entry, Verdict | null>;
  private readonly looks: GroupCommit<string, AccountState | null>;
  private unsettled = 0;
  /** Counts changes by hand: what is just being written may be from before one. */
  private forgotten = 0;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly books: BooksRepository,
    private readonly caps: SpaceCaps,
    private readonly keys: KeyAccounts,
    private readonly config: RelayConfig,
    private readonly logger: Logger,
    metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    // One line for both: two would wait for each other at the lock of the account.
    this.line = new GroupCommit((_line, entries) => this.book(entries), { items: 256 });
    this.looks = new GroupCommit((_line, spaceIds) => this.lookAtAll(spaceIds), { items: 256 });
    metrics.gauge('switchyard_relay_calls', 'Model calls that hold tokens at the moment.', [], (gauge) =>
      gauge.set(this.holds.size),
    );
    metrics.gauge('switchyard_relay_settlements_waiting', 'Settlements that are not stored yet.', [], (gauge) =>
      gauge.set(this.unsettled),
    );
  }

  /**
   * Reserves, or throws why the call may not be made. Where there is no doubt, the hold is given before it stands:
   * the upstream may be asked meanwhile, and nothing of its answer may be passed on before `admission` has resolved.
   */
  async open(ctx: Ctx, call: CallToMeter): Promise<Hold> {
    const spaceId = requireSpace(ctx);
    const known = this.caps.get(ctx, spaceId);
    const caps = known instanceof Promise ? await known : known;
    const limits = this.keys.limitsOf(ctx);
    const wanted: Wanted = {
      key: this.keys.wanted(ctx, limits instanceof Promise ? await limits : limits),
      spaceId,
      id: newId(),
      tokens: call.reserveTokens,
      minimumBalance: caps.minimumBalance,
      dailyTokenCap: caps.dailyTokenCap,
      facts: factsOf(ctx, call),
    };
    const admission = this.reserve(caps, wanted);
    const isSure = wanted.key === undefined && this.hasAmpleRoom(caps, wanted);
    if (!isSure) await admission;
    const hold = new Hold(spaceId, wanted.id, this, isSure ? admission : undefined);
    hold.isNoted = wanted.key !== undefined;
    this.holds.set(hold.id, { hold, facts: wanted.facts, lease: leaseOf(wanted) });
    admission.catch(() => this.holds.delete(hold.id));
    return hold;
  }

  /** What the Space has left of the day, as its last reservation has shown; null without a daily cap. */
  async dayOf(ctx: Ctx): Promise<ReturnType<typeof dayOf>> {
    const seen = this.seen.get(requireSpace(ctx));
    return seen ? dayOf(await this.capsOf(ctx), seen.account, this.clock.now()) : null;
  }

  capsOf(ctx: Ctx): Caps | Promise<Caps> {
    return this.caps.get(ctx, requireSpace(ctx));
  }

  /** The refusals that `open` would give, without holding anything. Where there is no doubt, nobody is asked. */
  async check(ctx: Ctx, tokens: number): Promise<void> {
    const spaceId = requireSpace(ctx);
    const caps = await this.capsOf(ctx);
    if (!this.hasAmpleRoom(caps, { spaceId, tokens })) {
      await this.line.flushed(LINE);
      const account = await this.account(spaceId);
      const refusal = refusalOf(caps, account, { countedTokens: 0 });
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

  /** What this process has settled is in what is read after it. */
  flushed(): Promise<void> {
    return this.line.flushed(LINE);
  }

  async account(spaceId: string): Promise<AccountState> {
    const found = await this.looks.add(LINE, spaceId);
    return found ?? { balance: this.config.INITIAL_SPACE_TOKENS, reserved: 0, dailyUsed: 0 };
  }

  /** The account was changed by hand: what the last reservations have shown says nothing any more. */
  forgetSeen(spaceId: string): void {
    this.forgotten += 1;
    this.seen.delete(spaceId);
  }

  /** The account of a Space that has none yet. */
  openAccount(spaceId: string): Promise<void> {
    return this.database.system('open an account', (tx) =>
      this.accounts.open(tx, spaceId, this.config.INITIAL_SPACE_TOKENS),
    );
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

  /** What a lost answer has left in doubt is written again. */
  async writeDoubtful(): Promise<void> {
    if (this.leases.isDoubtful) await this.line.add(LINE, {});
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

  private async reserve(caps: Caps, wanted: Wanted): Promise<void> {
    const { forgotten } = this;
    const verdict = await this.admit(wanted);
    if (forgotten === this.forgotten) this.seen.set(wanted.spaceId, { account: verdict, at: Date.now() });
    if (!verdict.admitted) throw this.refusal(caps, wanted, verdict);
  }

  /** Whether what the last reservations of the Space have shown leaves no doubt about this one. */
  private hasAmpleRoom(caps: Caps, wanted: Pick<Wanted, 'spaceId' | 'tokens'>): boolean {
    const seen = this.seen.get(wanted.spaceId);
    return seen !== undefined && Date.now() - seen.at < SEEN_MS && hasAmpleRoom(caps, seen.account, wanted.tokens);
  }

  private async admit(wanted: Wanted): Promise<Verdict> {
    let verdict = await this.line.add(LINE, { wanted });
    if (!verdict) {
      await this.openAccount(wanted.spaceId);
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

  /** The Space's own limits are named before those of the key. */
  private refusal(caps: Caps, { key }: Wanted, verdict: Verdict): AppError {
    const ofSpace = refusalOf(caps, verdict, { countedTokens: 0 });
    const ofKey = ofSpace === null ? this.keys.refusalOf(key, verdict) : null;
    return ofKey ?? refuse(ofSpace ?? 'INSUFFICIENT_TOKENS', this.clock.now());
  }

  private async book(entries: Entry[]): Promise<(Verdict | null)[]> {
    const wanted = entries.flatMap((entry) => entry.wanted ?? []);
    const beginning = wanted.map(leaseOf);
    const leases = this.leases.without(
      entries.flatMap(({ held }) => held ?? []),
      beginning.flatMap((lease) => lease ?? []),
    );
    let verdicts: (Verdict | null)[];
    try {
      verdicts = await this.books.book(this.database, this.holder, {
        settled: entries.flatMap(({ due }) => due ?? []),
        wanted,
        leases,
        notes: entries.flatMap(({ note }) => this.noteOf(note) ?? []),
      });
    } catch (error) {
      this.leases.doubt(leases);
      throw error;
    }
    this.leases.written(
      leases,
      beginning.flatMap((lease, at) => (lease && verdicts[at]?.admitted === true ? lease : [])),
    );
    let at = 0;
    return entries.map((entry) => (entry.wanted ? (verdicts[at++] ?? null) : null));
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

/** A key with limits counts its calls itself: each of them has a row. */
const leaseOf = ({ spaceId, tokens, facts, key }: Wanted): Lease | undefined =>
  key === undefined ? { spaceId, keyId: leaseKeyOf(facts), tokens } : undefined;

function factsOf(ctx: Ctx, call: CallToMeter): CallFacts {
  const { attribution } = call;
  return {
    model: call.model,
    promptTokens: call.promptTokens,
    source: attribution.source,
    agentId: attribution.agentId,
    sessionId: attribution.sessionId,
    turnId: attribution.turnId,
    taskId: attribution.taskId,
    jobId: attribution.jobId,
    userId: ctx.userId,
    keyId: ctx.credentialType === 'api_key' || ctx.credentialType === 'system_key' ? ctx.credentialId : null,
    requestKey: call.requestKey,
  };
}

export function dueOf(
  hold: { spaceId: string; id: string },
  facts: CallFacts | undefined,
  settlement: Settlement | null,
): Due {
  if (!settlement) return { spaceId: hold.spaceId, id: hold.id, tokens: 0, entry: null };
  const { counts } = settlement;
  return {
    spaceId: hold.spaceId,
    id: hold.id,
    tokens: counts.promptTokens + counts.completionTokens,
    entry: {
      ...facts,
      model: settlement.model,
      upstream: settlement.upstream,
      promptTokens: counts.promptTokens,
      completionTokens: counts.completionTokens,
      estimated: counts.estimated,
      cost: settlement.cost,
      outcome: settlement.outcome,
      // Only a completed call uses its key up: one that was cut off is metered as what was seen, and so is its repeat.
      requestKey: settlement.outcome === 'completed' ? facts?.requestKey : undefined,
    },
  };
}
