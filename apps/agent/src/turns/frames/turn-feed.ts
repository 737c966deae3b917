import { sleep } from '@switchyard/kernel';
import { type FrameLog, joinFrames, streamInterrupted, streamExpired } from '@switchyard/messaging';
import { type DeltaEvent, type FrameBody, TurnFrameWriter } from '@switchyard/contracts';
import { type FinalFrames, newestFrames } from '../../domain/final-frames';
import type { FrameUsage } from './frame-usage';

/** Frames that went out together, joined by line breaks: as the log and most readers want them. */
interface Batch {
  firstSeq: number;
  count: number;
  text: string;
}

/** Frames that a feed keeps for its readers before they go to the log for them. */
const KEEP_BYTES = 256 * 1024;
const MAX_MISSES = 100;
const MISSED_PAUSE_MS = 50;

/**
 * The frames of one stretch of a turn, on their way out. Readers hold a position and nothing else: however many
 * there are and however slow, the feed keeps its frames once, and old ones only in the log.
 */
export class TurnFeed {
  private readonly writer: TurnFrameWriter;
  private readonly batches: Batch[] = [];
  private readonly waiting = new Set<() => void>();
  private pending = '';
  private pendingCount = 0;
  private storedBytes = 0;
  private ended = false;
  private broken = false;
  private silent = false;
  /** The last frame that has gone out. */
  private out: number;

  constructor(
    readonly key: string,
    /** Of the lease under which its frames are written. */
    public epoch: number,
    private readonly log: FrameLog,
    readonly base: number,
    private readonly onDirty: (feed: TurnFeed) => void,
    private readonly use: FrameUsage,
    /** Unconfirmed frames of the stretch before, up to `base`, if this process had that one too. */
    private readonly earlier: FinalFrames | null = null,
  ) {
    this.writer = new TurnFrameWriter(base);
    this.out = base;
  }

  get seq(): number {
    return this.writer.seq;
  }

  get isOver(): boolean {
    return (this.ended || this.broken) && this.pendingCount === 0;
  }

  emit(bodies: readonly FrameBody[]): void {
    if (bodies.length === 0 || this.broken) return;
    const now = Date.now();
    for (const body of bodies) this.add(this.writer.write(body, now));
    this.onDirty(this);
  }

  /** Frames that an earlier holder wrote and the log has not got: with the same numbers and the same text. */
  repeat(frames: readonly string[]): void {
    if (frames.length === 0 || this.broken) return;
    for (const frame of frames) this.add(this.writer.repeat(frame));
    this.onDirty(this);
  }

  /** The frames that are lost if this process dies now; of very many, the newest. */
  unconfirmed(): FinalFrames {
    const from = this.log.firstUnconfirmed(this.key) ?? Infinity;
    const texts = this.batches.filter(({ firstSeq }) => firstSeq >= from).map(({ text }) => text);
    if (this.earlier && from <= this.base) texts.unshift(this.earlier.text);
    if (this.pendingCount > 0) texts.push(this.pending);
    return newestFrames(texts, this.seq);
  }

  delta(event: DeltaEvent, text: string, messageId: string): void {
    if (this.broken) return;
    this.add(this.writer.writeDelta(event, text, messageId, Date.now()));
    this.onDirty(this);
  }

  /** This process holds the turn under another epoch now. Readers would ignore frames of the earlier one. */
  adopt(epoch: number): void {
    // Otherwise another process may have written frames in between.
    if (epoch === this.epoch + 1) this.log.reissue(this.key, epoch);
    this.epoch = epoch;
  }

  /** Whether the log has all its frames. */
  get isStored(): boolean {
    return this.isOver && this.log.isStored(this.key);
  }

  /** No further frames in this stretch. */
  end(): void {
    this.ended = true;
    this.onDirty(this);
  }

  /** Pauses output: another process may have the lease. */
  hush(): void {
    this.silent = true;
  }

  /** The turn is this process's own after all. */
  resume(): void {
    if (!this.silent) return;
    this.silent = false;
    this.onDirty(this);
  }

  /** Another process has the lease: unsent frames are dropped, readers attach to it. */
  breakOff(): void {
    this.broken = true;
    this.silent = false;
    this.pending = '';
    this.pendingCount = 0;
    this.use.end(true);
    this.wake();
  }

  /** Frames that the log has not accepted are written by the next worker. */
  discardUnsent(): void {
    const from = this.log.firstUnconfirmed(this.key) ?? Infinity;
    // Readers must not get them either: another worker writes others under their numbers.
    while ((this.batches.at(-1)?.firstSeq ?? 0) >= from) this.out -= this.batches.pop()?.count ?? 0;
    this.log.drop(this.key);
  }

  /** Sends what has gathered. The log comes first: readers get no frame that NATS has not got for it. */
  flush(): void {
    if (this.silent) return;
    // Before the log is given more: a batch that it has just been handed is never stored yet.
    this.trim();
    if (this.pendingCount > 0) {
      const batch = { firstSeq: this.out + 1, count: this.pendingCount, text: this.pending };
      this.pending = '';
      this.pendingCount = 0;
      this.out += batch.count;
      const { key, epoch } = this;
      this.use.add(
        this.log.append({ spaceId: this.use.space.id, key, epoch }, batch.firstSeq, batch.text),
        batch.count,
      );
      this.batches.push(batch);
      this.storedBytes += batch.text.length;
    }
    if (this.ended && !this.broken) this.use.end(false);
    this.wake();
  }

  /** Batches of frames after a number, joined by line breaks, until the stretch ends. */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    let wake: (() => void) | undefined;
    const waiter = (): void => wake?.();
    this.waiting.add(waiter);
    signal.addEventListener('abort', waiter, { once: true });
    let last = after;
    let misses = 0;
    try {
      while (!signal.aborted) {
        const first = this.batches[0]?.firstSeq ?? this.out + 1;
        if (last + 1 < first) {
          const before = last;
          for await (const frames of this.log.read(this.key, last, signal)) {
            last += frames.length;
            yield joinFrames(frames);
          }
          // The log is a moment behind its writers; frames that never arrive have expired.
          if (last === before) {
            misses += 1;
            if (misses > MAX_MISSES) throw streamExpired();
            await sleep(MISSED_PAUSE_MS, signal);
          }
          continue;
        }
        // Readers are mostly at the end: look from there.
        const batch = this.batches.findLast((candidate) => candidate.firstSeq <= last + 1);
        const unsentFrom = this.log.firstUnsent(this.key);
        const isUnsent = batch && unsentFrom !== null && batch.firstSeq + batch.count > unsentFrom;
        if (batch && !isUnsent && batch.firstSeq + batch.count > last + 1) {
          const overlap = last + 1 - batch.firstSeq;
          last = batch.firstSeq + batch.count - 1;
          yield linesAfter(batch.text, overlap);
          continue;
        }
        if (this.broken) throw streamInterrupted();
        if (this.isOver && !isUnsent) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.waiting.delete(waiter);
      signal.removeEventListener('abort', waiter);
    }
  }

  private add(frame: string): void {
    this.pending = this.pendingCount === 0 ? frame : `${this.pending}\n${frame}`;
    this.pendingCount += 1;
  }

  private trim(): void {
    while (this.storedBytes > KEEP_BYTES && this.batches.length > 1 && this.log.isStored(this.key)) {
      this.storedBytes -= this.batches.shift()?.text.length ?? 0;
    }
  }

  /** Readers look again for frames that they may have. */
  wake(): void {
    for (const waiter of this.waiting) waiter();
  }
}

/** Text after the first lines. */
function linesAfter(text: string, lines: number): string {
  let at = 0;
  for (let line = 0; line < lines; line += 1) at = text.indexOf('\n', at) + 1;
  return at === 0 ? text : text.slice(at);
}
