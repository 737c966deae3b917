import { Injectable } from '@nestjs/common';
import { ArraySet, tooManyWaitFor } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import { Ctx, Identity, spaceSuspended } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Metrics, Workers } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import { ConcurrencyQuota } from '../limits/concurrency-quota';
import { Principals, type Rights } from './principals';

interface OpenAnswer {
  identity: Identity;
  /** Ends the answer in its own way; must not throw. */
  end(reason: AppError): void;
  /** Its content depends on the reader's permissions: it ends when they change. */
  endsWithRights: boolean;
}

interface AnswerOptions {
  endsWithRights?: boolean;
}

/** All open answers of one caller. */
interface CallerAnswers {
  open: ArraySet<OpenAnswer>;
  verifiedAt: number;
}

const SWEEP_MS = 1000;
/** How often the credentials of long answers are verified again. */
const RECHECK_MS = 20_000;
/** Without NATS no signal of a revocation arrives. */
const RECHECK_WITHOUT_SIGNALS_MS = 3000;
/** The callers of one sweep are spread over the time between two verifications, but never fewer than these. */
const MIN_PER_SWEEP = 50;

const callerOf = (identity: Identity): string =>
  identity.credentialType === 'jwt'
    ? `${identity.spaceId}/${identity.userId}/${identity.credentialId}`
    : (identity.credentialId ?? '');

/** A JWT counts for its user in the Space, over all sign-ins. */
const limitKey = (identity: Identity): string =>
  identity.credentialType === 'jwt' ? `${identity.spaceId}/${identity.userId}` : (identity.credentialId ?? '');

const rightsChanged = (): AppError =>
  new AppError('UNAUTHORIZED', 'The rights of this stream have changed. Connect again.');

const hasOtherRights = (before: Rights, now: Rights): boolean =>
  before.role !== now.role || before.scopes.join() !== now.scopes.join();

const tooMany = (message: string) => (): AppError => new AppError('RATE_LIMITED', message, { retryAfterSeconds: 1 });

const revoked = (): AppError => new AppError('UNAUTHORIZED', 'The credential of this request is no longer valid.');

/** Every answer that takes long: ended with the credential that asked for it; streams are counted per credential. */
@Injectable()
export class ActiveResponses {
  private readonly callers = new Map<string, CallerAnswers>();
  private readonly slots: ConcurrencyQuota;
  private readonly waits: ConcurrencyQuota;
  private readonly look: () => void;

  constructor(
    config: GatewayConfig,
    private readonly bus: Bus,
    private readonly principals: Principals,
    workers: Workers,
    metrics: Metrics,
  ) {
    const { STREAMS_PER_CREDENTIAL: streams, WAITS_PER_CREDENTIAL: waits, WAITS_PER_SPACE: ofSpace } = config;
    this.slots = new ConcurrencyQuota({
      name: 'streams of a credential',
      most: streams,
      refusal: tooMany(`A credential may have ${streams} streams open at once. Close one first.`),
    });
    this.waits = new ConcurrencyQuota(
      {
        name: 'waits of a credential',
        most: waits,
        refusal: tooMany(`A credential may wait for ${waits} answers at once. Read one of them first.`),
      },
      {
        name: 'waits of a Space',
        most: ofSpace,
        refusal: tooMany(`A Space may wait for ${ofSpace} answers at once. Read one of them first.`),
      },
      { name: 'waits', most: config.WAITS_PER_PROCESS, refusal: tooManyWaitFor('answers') },
    );
    metrics.bounded(
      {
        name: 'switchyard_open_answers',
        help: 'Open streams, and requests that wait for a turn or a tool, of the credential, the Space and the process that have the most.',
        measures: ['used', 'limit', 'refused'],
        labels: ['bound'],
      },
      (set) => {
        for (const { bound, ...use } of [...this.slots.usage, ...this.waits.usage]) set(use, { bound });
      },
    );
    // Signals of the moment in which the connection broke are lost.
    bus.onDown(() => {
      for (const caller of this.callers.values()) caller.verifiedAt = 0;
    });
    this.look = workers.whileNeeded('verify the credentials of open answers', SWEEP_MS, async () => {
      await this.sweep();
      return this.callers.size > 0;
    });
  }

  get size(): number {
    let open = 0;
    for (const caller of this.callers.values()) open += caller.open.size;
    return open;
  }

  /**
   * Takes a stream's place, or refuses; the returned function gives it back. To be called before the stream is opened.
   */
  enter(ctx: Ctx, end: (reason: AppError) => void, options: AnswerOptions = {}): () => void {
    const giveBack = this.slots.take(limitKey(ctx));
    const leave = this.follow(ctx, end, options);
    return () => {
      giveBack();
      leave();
    };
  }

  /** Ends an answer with its credential, without counting it as a stream. The returned function ends the watch. */
  follow(ctx: Ctx, end: (reason: AppError) => void, { endsWithRights = false }: AnswerOptions = {}): () => void {
    const key = callerOf(ctx);
    const caller = this.callers.get(key) ?? { open: new ArraySet(), verifiedAt: this.principals.verifiedAt(ctx) };
    this.callers.set(key, caller);
    this.look();
    const slot = caller.open.add({ identity: ctx, end, endsWithRights });
    return () => {
      caller.open.remove(slot);
      if (caller.open.size === 0 && this.callers.get(key) === caller) this.callers.delete(key);
    };
  }

  /**
   * Waits for work as long as the caller's credential is good; rejects with UNAUTHORIZED when it ends first. Those that
   * wait are counted apart from streams, and refused where a credential, its Space or the process has too many.
   */
  async whileValid<T>(ctx: Ctx, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveBack = this.waits.take(limitKey(ctx), ctx.spaceId ?? '');
    const ended = new AbortController();
    let leave = (): void => undefined;
    const invalid = new Promise<never>((_, reject) => {
      leave = this.follow(ctx, (reason) => {
        ended.abort(reason);
        reject(reason);
      });
    });
    try {
      return await Promise.race([work(ended.signal), invalid]);
    } finally {
      giveBack();
      leave();
    }
  }

  end(matches: (identity: Identity) => boolean, reason = revoked()): void {
    for (const { open } of [...this.callers.values()])
      for (const answer of open) if (matches(answer.identity)) answer.end(reason);
  }

  /** Answers that show what their reader might not see any more: asked for again, they are judged anew. */
  endWithRights(matches: (identity: Identity) => boolean): void {
    for (const { open } of [...this.callers.values()])
      for (const answer of open) if (answer.endsWithRights && matches(answer.identity)) answer.end(rightsChanged());
  }

  /** A member changed or is gone: answers to people who left end. */
  recheck(matches: (identity: Identity) => boolean): void {
    for (const caller of this.callers.values()) {
      const { first } = caller.open;
      if (first && matches(first.identity)) void this.verify(caller);
    }
  }

  private async sweep(): Promise<void> {
    const age = this.bus.isUp ? RECHECK_MS : RECHECK_WITHOUT_SIGNALS_MS;
    const before = Date.now() - age;
    const due = [...this.callers.values()].filter(({ verifiedAt }) => verifiedAt <= before);
    const most = Math.max(MIN_PER_SWEEP, Math.ceil((this.callers.size * SWEEP_MS * 2) / age));
    await Promise.all(due.slice(0, most).map((caller) => this.verify(caller)));
  }

  /** A response ends only if its credential is certainly void, not while the look-up fails. */
  private async verify(caller: CallerAnswers): Promise<void> {
    const { first } = caller.open;
    if (!first) return;
    caller.verifiedAt = Date.now();
    try {
      const now = await this.principals.verifyAgain(first.identity);
      const suspended = now?.space?.suspendedReason ?? null;
      for (const answer of caller.open) {
        // An operator's answer depends on no Space, and on nothing but being one.
        if (answer.identity.operator) {
          if (now !== null && now.operatorRights === undefined) answer.end(revoked());
        } else if (suspended !== null) answer.end(spaceSuspended(suspended));
      }
      if (now !== null && suspended === null)
        this.endWithRights(
          (identity) => callerOf(identity) === callerOf(first.identity) && hasOtherRights(identity, now),
        );
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') return;
      for (const answer of caller.open) answer.end(revoked());
    }
  }
}
