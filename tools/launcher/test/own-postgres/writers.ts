import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client } from '@switchyard/testing';

const SIDE_BY_SIDE = 4;
const PAUSE_MS = 50;

/** Make API keys without an end, each tried until it is acknowledged, and keep count of what was promised. */
export class Writers {
  /** When each was acknowledged, by name. */
  readonly acknowledged = new Map<string, number>();
  readonly refusals = new Set<number>();
  private isOver = false;
  private readonly working: Promise<void>[];
  private failure: Error | undefined;

  constructor(private readonly owner: Client) {
    // A test that fails leaves its writers: without a platform they must end, and their failure is no news then.
    this.working = Array.from({ length: SIDE_BY_SIDE }, () =>
      this.work().catch((error: unknown) => {
        this.isOver = true;
        this.failure ??= error instanceof Error ? error : new Error(String(error));
      }),
    );
  }

  get count(): number {
    return this.acknowledged.size;
  }

  /** The longest time in which nothing was acknowledged. */
  get longestPauseMs(): number {
    const times = [...this.acknowledged.values()];
    return Math.max(0, ...times.map((at, index) => at - (times[index - 1] ?? at)));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.working);
    if (this.failure) throw this.failure;
  }

  private async work(): Promise<void> {
    for (let name = randomUUID(); !this.isOver;) {
      const { status } = await this.owner.post('/api-keys', { name }, { headers: { 'idempotency-key': name } });
      if (status === 201) {
        this.acknowledged.set(name, performance.now());
        name = randomUUID();
      } else {
        this.refusals.add(status);
        await sleep(PAUSE_MS);
      }
    }
  }
}
