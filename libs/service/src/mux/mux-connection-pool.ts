import { ClientConnection } from './client-connection';

/** Enough that they lead to more than one replica where there are several. */
const LINES = 4;
/** A line is as old as that at most, so that replicas that have come meanwhile get their part. */
const LIFE_MS = 60_000;
const AGAIN_MS = 250;

interface Slot {
  line?: ClientConnection | undefined;
  connecting?: Promise<ClientConnection> | undefined;
  bornAt: number;
  failedAt: number;
}

/** Kept connections to one address, and which of them takes the next call. */
export class MuxConnectionPool {
  private readonly slots: Slot[] = Array.from({ length: LINES }, () => ({ bornAt: 0, failedAt: -Infinity }));
  private readonly lines = new Set<ClientConnection>();
  private isClosed = false;

  constructor(
    private readonly url: URL,
    private readonly path: string,
  ) {}

  /** The line with the fewest calls. A promise where none stands yet. */
  line(): ClientConnection | Promise<ClientConnection> {
    const now = performance.now();
    let best: ClientConnection | undefined;
    for (const slot of this.slots) {
      const { line } = slot;
      const isOpen = line?.isUsable === true;
      if (!isOpen || now - slot.bornAt > LIFE_MS) this.renew(slot, now);
      if (isOpen && (!best || line.running < best.running)) best = line;
    }
    return best ?? this.first();
  }

  close(): void {
    this.isClosed = true;
    for (const line of this.lines) line.destroy();
  }

  /** Until the new line stands, the old one goes on. */
  private renew(slot: Slot, now: number): void {
    if (slot.connecting || this.isClosed || now - slot.failedAt < AGAIN_MS) return;
    slot.connecting = this.connect(slot);
    slot.connecting.catch(() => undefined);
  }

  private async connect(slot: Slot): Promise<ClientConnection> {
    try {
      const line: ClientConnection = await ClientConnection.connect(this.url, this.path, () => {
        this.lines.delete(line);
      });
      this.lines.add(line);
      if (this.isClosed) line.destroy();
      slot.line?.retire();
      slot.line = line;
      // Not all at the same time.
      slot.bornAt = performance.now() - Math.random() * (LIFE_MS / 4);
      return line;
    } catch (error) {
      slot.failedAt = performance.now();
      throw error;
    } finally {
      slot.connecting = undefined;
    }
  }

  private async first(): Promise<ClientConnection> {
    const connecting = this.slots.flatMap((slot) => (slot.connecting ? [slot.connecting] : []));
    const [some] = connecting;
    // All have just failed: one is asked at once, and says why.
    if (!some) return this.connect(this.slots[0] ?? { bornAt: 0, failedAt: 0 });
    return Promise.any(connecting).catch(() => some);
  }
}
