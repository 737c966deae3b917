import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import { AppError, backoffMs, sleep, upToEntries } from '@switchyard/kernel';
import { SpacePolicyCache } from '@switchyard/service';
import { LRUCache } from 'lru-cache';

/** Should the news be lost, a suspended Space is asked about again after this long. */
const ASK_AGAIN_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;
/** If the relay goes on refusing while the Space is active here: the pauses between its calls. */
const AFTER_REFUSAL = { baseMs: 250, maxMs: ASK_AGAIN_MS };
const REFUSALS_COUNT_FOR_MS = 60_000;

/** Keeps turns of suspended Spaces from their next step, until the Space is resumed. */
@Injectable()
export class SpaceSuspensions {
  /** Spaces of which the relay has refused a call before the news came here. */
  private readonly refused = new Set<string>();
  /** How often in a row, by Space. */
  private readonly refusals = new LRUCache<string, number>({ ...upToEntries(10_000), ttl: REFUSALS_COUNT_FOR_MS });
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly policies: SpacePolicyCache) {
    policies.onChange((spaceId) => {
      for (const wake of this.waiting.get(spaceId) ?? []) wake();
    });
  }

  /**
   * Waits until the Space is not suspended, or `signal` fires. Undefined where nothing has to be waited for: with
   * `isRelayed` also if the policy of the Space is being loaded, as the relay checks the Space itself. All else waits
   * until the policy was read.
   */
  pause(ctx: Ctx, signal: AbortSignal, { isRelayed }: { isRelayed: boolean }): Promise<void> | undefined {
    const spaceId = requireSpace(ctx);
    const policy = this.policies.of(spaceId);
    const isUnknown = policy instanceof Promise;
    if (isUnknown) policy.catch(() => undefined);
    const mayGoOn = isUnknown ? isRelayed : policy.status !== 'SUSPENDED';
    return mayGoOn && !this.refused.has(spaceId) ? undefined : this.untilActive(spaceId, signal);
  }

  /** The relay refused a model call for it: the state known here is older. */
  noteRefused(ctx: Ctx): void {
    const spaceId = requireSpace(ctx);
    this.policies.invalidate(spaceId);
    this.refused.add(spaceId);
    this.refusals.set(spaceId, (this.refusals.get(spaceId) ?? 0) + 1);
  }

  /** Waits until the Space is suspended, or `signal` fires. */
  async untilSuspended(ctx: Ctx, signal: AbortSignal): Promise<void> {
    const spaceId = requireSpace(ctx);
    while (!signal.aborted && (await this.isSuspended(spaceId)) !== true)
      await this.changed(spaceId, ASK_AGAIN_MS, signal);
  }

  /** Waits until the Space is active again, or `signal` fires. */
  untilResumed(ctx: Ctx, signal: AbortSignal): Promise<void> {
    return this.untilActive(requireSpace(ctx), signal);
  }

  /** Since when the Space has been suspended: null while it is active, and now if nothing is known of it. */
  async suspendedSince(ctx: Ctx): Promise<number | null> {
    const spaceId = requireSpace(ctx);
    const isSuspended = await this.isSuspended(spaceId);
    if (isSuspended === false) return null;
    const since = isSuspended === true ? await this.policies.suspendedAt(spaceId) : null;
    return Math.min(Date.now(), since === null ? Infinity : Date.parse(since));
  }

  private async untilActive(spaceId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isSuspended = await this.isSuspended(spaceId);
      if (isSuspended === false) {
        const isRefused = this.refused.delete(spaceId);
        if (isRefused) await this.changed(spaceId, backoffMs(this.refusals.get(spaceId) ?? 1, AFTER_REFUSAL), signal);
        return;
      }
      await this.changed(spaceId, isSuspended === null ? AFTER_FAILURE_MS : ASK_AGAIN_MS, signal);
    }
  }

  /** Null if that cannot be read. A Space that was removed is not suspended. */
  private async isSuspended(spaceId: string): Promise<boolean | null> {
    try {
      return (await this.policies.of(spaceId)).status === 'SUSPENDED';
    } catch (error) {
      return error instanceof AppError && error.code === 'NOT_FOUND' ? false : null;
    }
  }

  private async changed(spaceId: string, withinMs: number, signal: AbortSignal): Promise<void> {
    const wakes = this.waiting.get(spaceId) ?? new Set();
    this.waiting.set(spaceId, wakes);
    const woken = new AbortController();
    const wake = (): void => {
      woken.abort();
    };
    wakes.add(wake);
    await sleep(withinMs, AbortSignal.any([woken.signal, signal]));
    wakes.delete(wake);
    if (wakes.size === 0 && this.waiting.get(spaceId) === wakes) this.waiting.delete(spaceId);
  }
}
