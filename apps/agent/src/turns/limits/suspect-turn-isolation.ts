import { sleep } from '@switchyard/kernel';

/** A turn that ends its process mostly does so at once. */
const ALONE_MS = 2_000;
/** As long as a turn waits for its slot. In all, however many suspects follow each other. */
const WAIT_MS = 5_000;

/** Whether this process takes up a suspect: a turn that perhaps ended its process. Fresh turns wait meanwhile. */
export class SuspectTurnWatch {
  private claiming: Promise<unknown> | null = null;
  private aloneUntil = 0;

  get isOn(): boolean {
    return this.claiming !== null || performance.now() < this.aloneUntil;
  }

  /** On from before the claim, as a turn that begins while its answer is under way would run beside the suspect. */
  async claim<T>(claim: () => Promise<T>, hasSuspect: (claimed: T) => boolean): Promise<T> {
    const claiming = claim().then((claimed) => {
      if (hasSuspect(claimed)) this.aloneUntil = performance.now() + ALONE_MS;
      return claimed;
    });
    this.claiming = claiming;
    try {
      return await claiming;
    } finally {
      this.claiming = null;
    }
  }

  /** Until it may be off, but no longer than that. */
  async change(withinMs: number): Promise<void> {
    const { claiming } = this;
    if (!claiming) return sleep(Math.min(withinMs, Math.max(0, this.aloneUntil - performance.now())));
    const end = new AbortController();
    await Promise.race([claiming.catch(() => undefined), sleep(withinMs, end.signal)]);
    end.abort();
  }
}

/** The waiting time of a fresh turn. */
export class FreshTurn {
  private restMs = WAIT_MS;

  constructor(private readonly suspects: SuspectTurnWatch) {}

  /** Undefined if no suspect is taken up. */
  mayBegin(): Promise<void> | undefined {
    return this.suspects.isOn ? this.wait() : undefined;
  }

  private async wait(): Promise<void> {
    const end = performance.now() + this.restMs;
    for (;;) {
      this.restMs = end - performance.now();
      if (this.restMs <= 0 || !this.suspects.isOn) return;
      await this.suspects.change(this.restMs);
    }
  }
}
