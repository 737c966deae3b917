import { Controller, Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type ThreadChanged, ThreadSignals } from '@switchyard/contracts';
import { Bus, Handles } from '@switchyard/messaging';

/** Wakes streams of a thread when a run starts in it. A stream that misses the signal polls. */
@Injectable()
export class ThreadChanges {
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly bus: Bus) {}

  announce(ctx: Ctx, sessionId: string): void {
    const change = { spaceId: requireSpace(ctx), sessionId };
    this.subscription(change);
    this.bus.signal(ThreadSignals.threadChanged, ctx, change);
  }

  subscription({ spaceId, sessionId }: ThreadChanged): void {
    for (const wake of [...(this.waiting.get(`${spaceId}/${sessionId}`) ?? [])]) wake();
  }

  /** Calls `wake` at each change, until the returned function is called. */
  watch(ctx: Ctx, sessionId: string, wake: () => void): () => void {
    const key = `${requireSpace(ctx)}/${sessionId}`;
    const watchers = this.waiting.get(key) ?? new Set();
    this.waiting.set(key, watchers);
    watchers.add(wake);
    return () => {
      watchers.delete(wake);
      if (watchers.size === 0 && this.waiting.get(key) === watchers) this.waiting.delete(key);
    };
  }
}

@Controller()
export class ThreadSignalsController {
  constructor(private readonly changes: ThreadChanges) {}

  @Handles(ThreadSignals.threadChanged)
  onChanged(data: ThreadChanged): void {
    this.changes.subscription(data);
  }
}
