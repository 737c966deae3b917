import { NatsLink } from '../transport/nats-link';
import { Entry, WireEntry, packBatch, sizeOf } from '../transport/frames-wire';

/** Frames gather this long behind the first one; a lone frame never waits. */
const TICK_MS = 4;

/** Gathers the frames of all streams that go to one reader process, and sends them as one message per tick. */
export class Mux {
  private entries: WireEntry[] = [];
  private bytes = 0;
  private sentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  constructor(
    private readonly link: NatsLink,
    private readonly subject: string,
  ) {}

  add(entry: WireEntry): void {
    const size = sizeOf(entry);
    if (this.bytes + size > this.link.maxPayload) this.flush();
    this.entries.push(entry);
    this.bytes += size;
    if (this.timer || this.isDue) return;
    const wait = this.sentAt + TICK_MS - performance.now();
    if (wait <= 0) {
      this.isDue = true;
      // Behind all that follows without waiting for anything: the end of a stream rides with its last frame.
      queueMicrotask(() => {
        process.nextTick(() => {
          this.flush();
        });
      });
    } else
      this.timer = setTimeout(() => {
        this.flush();
      }, wait);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isDue = false;
    if (this.entries.length === 0) return;
    const batch = packBatch(this.entries);
    // An opening alone starts no tick: the first frame behind it must not wait.
    if (this.entries.some((entry) => entry.kind !== Entry.open)) this.sentAt = performance.now();
    this.entries = [];
    this.bytes = 0;
    // A reader that lost its connection attaches again by itself; nothing is kept for it here.
    if (!this.link.isUp) return;
    try {
      this.link.nc.publish(this.subject, batch);
    } catch (error) {
      // The connection is closing: the readers see the silence.
      this.link.options.log.warn({ err: error }, 'frames could not be sent');
    }
  }
}
