import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '@switchyard/testing';

const PAUSE_MS = 100;
const DONE = new Set([200, 201, 202]);
/** Repeat: it is in progress, too much at once, or a part of the platform is away. */
const LATER = new Set([409, 429, 503, 504]);

/** A turn that failed because the relay was away. It is over, and a repeat is told the same. */
const FAILED_TURN = 'RUNTIME_UNAVAILABLE';

/** Callers that repeat a request under the same name until it is acknowledged, and then make the next. */
export class Load {
  /** By name: the data of the response. */
  readonly acknowledged = new Map<string, Reply['body']>();
  /** Responses after which a caller may not repeat. */
  readonly failures: string[] = [];
  private isOver = false;
  private readonly callers: Promise<void>[];

  constructor(
    callers: number,
    private readonly ask: (name: string) => Promise<Reply>,
  ) {
    this.callers = Array.from({ length: callers }, () => this.call());
  }

  get count(): number {
    return this.acknowledged.size;
  }

  get names(): string[] {
    return [...this.acknowledged.keys()].sort();
  }

  /** No new requests; those in progress are repeated until they are acknowledged. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.callers);
  }

  private async call(): Promise<void> {
    while (!this.isOver) await this.untilAcknowledged(randomUUID());
  }

  private async untilAcknowledged(name: string): Promise<void> {
    for (;;) {
      // The connection breaks if the gateway is killed.
      const reply = await this.ask(name).catch(() => null);
      if (reply && DONE.has(reply.status)) {
        this.acknowledged.set(name, (reply.body as { data: Reply['body'] }).data);
        return;
      }
      if ((reply?.body as { code?: string } | undefined)?.code === FAILED_TURN) return;
      if (reply && !LATER.has(reply.status)) {
        this.failures.push(`${reply.status} ${JSON.stringify(reply.body)}`);
        return;
      }
      await sleep(PAUSE_MS);
    }
  }
}
