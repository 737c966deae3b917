import { AskedLine } from './asked-line';

/** Enough that they lead to more than one replica where there are several. */
const LINES = 4;
/** A line is as old as that at most, so that replicas that have come meanwhile get their part. */
const LIFE_MS = 60_000;
const AGAIN_MS = 250;

interface Place {
  line?: AskedLine | undefined;
  connecting?: Promise<AskedLine> | undefined;
  bornAt: number;
  failedAt: number;
}

/** Kept connections to one address, and which of them takes the next call. */
export class RoadClient {
  private readonly places: Place[] = Array.from({ length: LINES }, () => ({ bornAt: 0, failedAt: -Infinity }));
  private readonly lines = new Set<AskedLine>();
  private isClosed = false;

  constructor(
    private readonly url: URL,
    private readonly path: string,
  ) {}

  /** The line with the fewest calls. A promise where none stands yet. */
  line(): AskedLine | Promise<AskedLine> {
    const now = performance.now();
    let best: AskedLine | undefined;
    for (const place of this.places) {
      const { line } = place;
      const isOpen = line?.isUsable === true;
      if (!isOpen || now - place.bornAt > LIFE_MS) this.renew(place, now);
      if (isOpen && (!best || line.running < best.running)) best = line;
    }
    return best ?? this.first();
  }

  close(): void {
    this.isClosed = true;
    for (const line of this.lines) line.destroy();
  }

  /** Until the new line stands, the old one goes on. */
  private renew(place: Place, now: number): void {
    if (place.connecting || this.isClosed || now - place.failedAt < AGAIN_MS) return;
    place.connecting = this.connect(place);
    place.connecting.catch(() => undefined);
  }

  private async connect(place: Place): Promise<AskedLine> {
    try {
      const line: AskedLine = await AskedLine.connect(this.url, this.path, () => {
        this.lines.delete(line);
      });
      this.lines.add(line);
      if (this.isClosed) line.destroy();
      place.line?.retire();
      place.line = line;
      // Not all at the same time.
      place.bornAt = performance.now() - Math.random() * (LIFE_MS / 4);
      return line;
    } catch (error) {
      place.failedAt = performance.now();
      throw error;
    } finally {
      place.connecting = undefined;
    }
  }

  private async first(): Promise<AskedLine> {
    const connecting = this.places.flatMap((place) => (place.connecting ? [place.connecting] : []));
    const [some] = connecting;
    // All have just failed: one is asked at once, and says why.
    if (!some) return this.connect(this.places[0] ?? { bornAt: 0, failedAt: 0 });
    return Promise.any(connecting).catch(() => some);
  }
}
