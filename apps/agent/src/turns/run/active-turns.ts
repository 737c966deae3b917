import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  actAs,
  type ClaimedTurn,
  type DeferTurn,
  type LeasedTurn,
  requireSpace,
  serviceCtx,
  SessionCalls,
} from '@switchyard/contracts';
import { Ticks, retry } from '@switchyard/concurrency';
import { AppError, sleep, waitUntil } from '@switchyard/kernel';
import { Bus, BUS_OPTIONS, type BusOptions, FrameLog } from '@switchyard/messaging';
import { Logger, Metrics, Workers } from '@switchyard/service';
import { AgentConfig } from '../../agent.config';
import { FrameFlusher } from './frame-flusher';
import { FrameRetention } from '../frames/frame-retention';
import { TurnLeases } from './turn-leases';
import { MemberRoles } from './member-roles';
import { TurnFeed } from '../frames/turn-feed';
import type { TurnRunner } from './turn-runner';
import { mayPass } from './session-port';
import type { TurnSpec } from './turn-spec';

const HEARTBEAT_MS = 3_000;
/** Short, as hundreds may end in a second: objects that live longer cost more to collect. */
const SWEEP_MS = 200;
const RELEASE_PAUSES = { baseMs: 350, maxMs: 350 };
const STORED_WITHIN_MS = 1_000;
const FADED_WITHIN_MS = 2_000;
const DROPPED_AFTER_MS = 2_000;

const AGENT_DELETED = {
  code: 'NOT_FOUND',
  message: 'The agent was deleted before the turn could go on. The text that was sent stays.',
  retryable: false,
};
const isAbsent = (error: unknown): boolean => error instanceof AppError && error.code === 'NOT_FOUND';

/** The turns that this process holds: their leases, their cancellation, and their end with the process. */
@Injectable()
export class ActiveTurns implements OnModuleDestroy {
  private readonly runners = new Map<string, TurnRunner>();
  /** Stretches that are over, until the log has their frames. */
  private readonly fading = new Map<string, TurnRunner>();
  /** Of them, those whose turn goes on here: their readers may still wait for frames. */
  private readonly replaced = new Set<TurnRunner>();
  /** Claimed, and not begun yet: what is read for them may take longer than a lease. */
  private readonly preparing = new Set<LeasedTurn>();
  /** Not one of the workers, which end first: a turn is kept until it is over or handed over. */
  private readonly heart = new Ticks(HEARTBEAT_MS, () => {
    void this.beat();
    return this.runners.size + this.preparing.size > 0;
  });
  private readonly sweeps = new Ticks(SWEEP_MS, () => {
    this.sweep();
    return this.hasFading;
  });
  private beating = false;
  private stopping = false;
  private handingOver: Promise<void> | undefined;
  /** Given back while they were made ready: they do not begin here any more. */
  private readonly givenBack = new Set<LeasedTurn>();

  constructor(
    private readonly bus: Bus,
    private readonly log: FrameLog,
    private readonly flusher: FrameFlusher,
    private readonly leases: TurnLeases,
    private readonly logger: Logger,
    @Inject(BUS_OPTIONS) private readonly options: BusOptions,
    private readonly config: AgentConfig,
    private readonly frames: FrameRetention,
    private readonly memberRoles: MemberRoles,
    workers: Workers,
    metrics: Metrics,
  ) {
    workers.atStop(async () => {
      await this.handOver();
      await this.frames.writeAll();
    });
    log.beforeResending(() => this.markUnconfirmed());
    log.afterSending((key) => {
      const current = key === null ? [...this.runners.values(), ...this.fading.values()] : [this.find(key)];
      for (const runner of current) runner?.feed.wake();
      for (const { spec, feed } of this.replaced) if (key === null || spec.key === key) feed.wake();
    });
    metrics.gauge('switchyard_turns_running', 'Turns in this process.', [], (gauge) => {
      gauge.set(this.runners.size);
    });
  }

  /** The name under which leases are held. */
  get owner(): string {
    return this.options.instance;
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  find(key: string): TurnRunner | undefined {
    return this.runners.get(key) ?? this.fading.get(key);
  }

  /** The runner of a turn that has not come to its end or a pause yet. */
  running(key: string): TurnRunner | undefined {
    return this.runners.get(key);
  }

  newFeed({ key, epoch, ctx }: TurnSpec, base: number): TurnFeed {
    const use = this.frames.count(requireSpace(ctx), key, base === 0);
    const earlier = this.fading.get(key)?.feed;
    const unconfirmed = earlier?.seq === base ? earlier.unconfirmed() : null;
    return new TurnFeed(key, epoch, this.log, base, this.flusher.mark, use, unconfirmed);
  }

  hold(runner: TurnRunner): void {
    // An earlier stretch of the same turn ends at its pause: readers of now want this one.
    const earlier = this.fading.get(runner.spec.key);
    if (earlier) {
      this.fading.delete(runner.spec.key);
      this.replaced.add(earlier);
      this.sweeps.begin();
    }
    this.beginHeartbeats();
    this.runners.set(runner.spec.key, runner);
    this.leases.turns = this.runners.size;
    runner.done.then(
      () => {
        this.release(runner);
      },
      () => {
        this.remove(runner);
      },
    );
  }

  /** Keeps the lease of a turn that is made ready. One that cannot be gone on with now is given back for later. */
  async prepare<T>(claim: ClaimedTurn, work: () => Promise<T>): Promise<T> {
    const { turn, reason } = claim;
    const lease = { key: turn.key, epoch: turn.epoch };
    this.preparing.add(lease);
    this.beginHeartbeats();
    try {
      const ready = await work();
      if (!this.givenBack.has(lease)) return ready;
    } catch (error) {
      if (!this.givenBack.has(lease)) {
        if (mayPass(error)) await this.defer({ ...lease, reason });
        else if (isAbsent(error)) await this.endWithoutAgent(claim);
      }
      throw error;
    } finally {
      this.preparing.delete(lease);
    }
    throw new AppError('SERVICE_UNAVAILABLE', 'The process stops: the turn goes on in another one.', {
      retryAfterSeconds: 1,
    });
  }

  cancel(key: string): boolean {
    const runner = this.runners.get(key);
    runner?.cancel();
    return runner !== undefined;
  }

  /** Stops the turns of a user, if the user has left the Space. */
  async dismiss({ spaceId, userId }: { spaceId: string; userId: string }): Promise<void> {
    const own = [...this.runners.values()].filter(
      ({ spec: { ctx } }) => ctx.spaceId === spaceId && ctx.userId === userId,
    );
    const [first] = own;
    if (!first) return;
    const { credentialId, credentialType } = first.spec.ctx;
    const role = await this.memberRoles.roleOf({ spaceId, userId, credentialId, credentialType }, { withKey: false });
    if (role === null) for (const runner of own) runner.cancel();
  }

  async onModuleDestroy(): Promise<void> {
    await this.handOver();
    this.heart.stop();
    this.sweeps.stop();
    await waitUntil(() => {
      this.sweep();
      return !this.hasFading;
    }, FADED_WITHIN_MS);
    this.log.stop();
  }

  /** Turns that are about to end do so here; the others go on where they are claimed. */
  private handOver(): Promise<void> {
    this.handingOver ??= this.finishOrRelease(performance.now() + this.config.SHUTDOWN_GRACE_MS);
    return this.handingOver;
  }

  private async finishOrRelease(until: number): Promise<void> {
    this.stopping = true;
    // At once, while the session service is there for certain: where all stops together, it may be gone by the end.
    void this.announceStop();
    await waitUntil(() => this.runners.size + this.preparing.size === 0, this.config.TURN_FINISH_WITHIN_MS);
    const left = [...this.runners.values()];
    for (const turn of this.preparing) this.givenBack.add(turn);
    const turns = [...left.map((runner) => runner.lease), ...this.givenBack];
    if (turns.length === 0) return;
    for (const runner of left) runner.abandon();
    // The next holder counts on from what the log has.
    await waitUntil(() => left.every(({ lease: { key } }) => this.log.isStored(key)), STORED_WITHIN_MS, 10);
    await this.giveBack(turns, until);
  }

  /** A turn whose process has said so and ends before it could give it back is no loss. */
  private async announceStop(): Promise<void> {
    const turns = this.currentTurns();
    if (turns.length === 0) return;
    const message = { owner: this.owner, turns, isStopping: true };
    await this.bus.call(SessionCalls.heartbeatTurns, serviceCtx('agent'), message).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'failed to announce the shutdown of this process');
    });
  }

  /** The session service may be starting again itself. */
  private async giveBack(turns: LeasedTurn[], until: number): Promise<void> {
    try {
      await retry(() => this.bus.call(SessionCalls.releaseTurns, serviceCtx('agent'), { turns }), {
        ...RELEASE_PAUSES,
        withinMs: until - performance.now(),
        shouldRetry: () => true,
      });
    } catch (error) {
      this.logger.warn({ err: error, turns: turns.length }, 'failed to release turns at shutdown');
    }
  }

  private currentTurns(): LeasedTurn[] {
    return [...[...this.runners.values()].map((runner) => runner.lease), ...this.preparing];
  }

  /** No process can go on with it. Until it has ended, it would keep others waiting that were lost with it. */
  private async endWithoutAgent({ turn: { key, epoch }, identity }: ClaimedTurn): Promise<void> {
    const ctx = actAs(serviceCtx('agent'), { spaceId: identity.spaceId, userId: identity.userId });
    const end = {
      key,
      epoch,
      status: 'FAILED' as const,
      messages: [],
      finishReason: 'error',
      usage: null,
      error: AGENT_DELETED,
    };
    await this.bus.call(SessionCalls.closeTurn, ctx, end).catch((error: unknown) => {
      this.logger.warn({ err: error, turn: key }, 'failed to end a turn of a deleted agent');
    });
  }

  /** If this call fails, its lease runs out, and the turn counts as lost once more. */
  private async defer(turn: DeferTurn): Promise<void> {
    await this.bus.call(SessionCalls.deferTurn, serviceCtx('agent'), turn).catch((error: unknown) => {
      this.logger.warn({ err: error, turn: turn.key }, 'failed to release a turn');
    });
  }

  /** The stretch is over; its frames stay at hand until the log has them. */
  private release(runner: TurnRunner): void {
    this.remove(runner);
    this.fading.set(runner.spec.key, runner);
    this.sweeps.begin();
  }

  private get hasFading(): boolean {
    return this.fading.size + this.replaced.size > 0;
  }

  private sweep(): void {
    for (const runner of this.replaced) {
      const { feed, spec } = runner;
      if (runner.isOver && (this.log.firstUnconfirmed(spec.key) ?? Infinity) > feed.seq) this.replaced.delete(runner);
    }
    for (const [key, runner] of this.fading) {
      if (!runner.isOver || !this.log.isStored(key)) continue;
      this.fading.delete(key);
      if (runner.spec.input.isUnstored) this.dropFrames(runner);
    }
  }

  /** Its stream has read them here. One that lost its process on the way reads the log, and gets a moment to do so. */
  private dropFrames({ spec: { key, ctx } }: TurnRunner): void {
    const drop = (): void => {
      this.frames.drop(requireSpace(ctx), key).catch((error: unknown) => {
        this.logger.warn({ err: error, turn: key }, 'failed to delete the frames of a turn that was not stored');
      });
    };
    if (this.stopping) drop();
    else setTimeout(drop, DROPPED_AFTER_MS).unref();
  }

  private remove(runner: TurnRunner): void {
    if (this.runners.get(runner.spec.key) === runner) this.runners.delete(runner.spec.key);
    this.leases.turns = this.runners.size;
  }

  /** The line was broken: others may have taken this process for gone. It says nothing more until it knows. */
  private async markUnconfirmed(): Promise<void> {
    this.leases.markUnconfirmed();
    while (this.beating) await sleep(10);
    await this.beat();
  }

  private beginHeartbeats(): void {
    if (!this.heart.areComing) this.leases.begin(performance.now());
    this.heart.begin();
  }

  /** If the session service does not answer, it cannot have reassigned the turns either. */
  private async beat(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    const begunAt = performance.now();
    try {
      await this.heartbeat();
    } catch (error) {
      this.logger.warn({ err: error }, 'failed to renew the leases of turns');
    }
    this.leases.confirm(begunAt);
    this.beating = false;
  }

  private async heartbeat(): Promise<void> {
    const turns = this.currentTurns();
    if (turns.length === 0) return;
    const { lost: isLost, cancelRequested } = await this.bus.call(
      SessionCalls.heartbeatTurns,
      serviceCtx('agent'),
      { owner: this.owner, turns },
      { timeoutMs: HEARTBEAT_MS },
    );
    for (const key of cancelRequested) this.cancel(key);
    for (const key of isLost) {
      // A turn that ended while the beat was under way is not lost.
      const runner = this.runners.get(key);
      if (!runner || !turns.some((turn) => turn.key === key && turn.epoch === runner.lease.epoch)) continue;
      if (runner.isLeaving) {
        runner.feed.hush();
        continue;
      }
      this.logger.warn({ turn: key }, 'another process took over this turn');
      runner.lose();
    }
  }
}
