import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { Entry, WireEntry, packBatch, sizeOf } from '../transport/frame-encoding';

/** Batch window after the first frame; a single frame is sent at once. */
const TICK_MS = 4;

/** Batches the frames of all streams to one reader process, one message a tick. */
export class FrameMultiplexer {
  private entries: WireEntry[] = [];
  private bytes = 0;
  private sentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  constructor(
    private readonly link: NatsConnectionManager,
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
      // After everything synchronous: the end of a stream is sent with its last frame.
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
    // An opening alone starts no window, so that the first frame after it need not wait.
    if (this.entries.some((entry) => entry.kind !== Entry.open)) this.sentAt = performance.now();
    this.entries = [];
    this.bytes = 0;
    // While disconnected frames are dropped: readers attach again by themselves.
    if (!this.link.isUp) return;
    try {
      this.link.nc.publish(this.subject, batch);
    } catch (error) {
      // The connection is closing: readers time out.
      this.link.options.log.warn({ err: error }, 'failed to send frames');
    }
  }
}
