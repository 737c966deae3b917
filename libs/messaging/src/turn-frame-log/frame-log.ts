import { Inject, Injectable } from '@nestjs/common';
import { seqOfFrame } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { headers } from 'nats';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { FRAMES_STREAM } from '../transport/stream-and-consumer-definitions';
import { unpackFrames } from './frame-batch';
import { FrameReorderBuffer } from './frame-reorder-buffer';
import { FramePublisher, type StoredSize } from './frame-publisher';
import { EPOCH_HEADER, FramePuller, framesUnavailable } from './frame-puller';

export const frameSubject = (key: string): string => `frames.${key}`;

export const streamExpired = (): AppError =>
  new AppError(
    'STREAM_EXPIRED',
    'The frames before this point are no longer kept. Read the session’s messages instead.',
  );

/** Time limit for reading a turn's whole log when others wait for it. */
const READ_WITHIN_MS = 15_000;
/** Batches to buffer while waiting for one that was overtaken. */
const REORDER_LIMIT = 64;
/** After this time a missing batch was removed; one that was lost in transit is sent again sooner. */
const GAP_AFTER_MS = 10_000;

/** The turn being written, and the lease epoch. */
interface FrameWriter {
  spaceId: string;
  key: string;
  epoch: number;
  /** It writes frames of a holder that is gone. Their batches may begin with the same frame and have others in them. */
  isForHolder?: boolean;
}

/**
 * The frames of turns, stored in JetStream for a day. Appended frames are stored in order, exactly once, as soon as
 * NATS is up; any process can read them.
 */
@Injectable()
export class FrameLog {
  private readonly publisher: FramePublisher;

  constructor(@Inject(NatsConnectionManager) private readonly link: NatsConnectionManager) {
    this.publisher = new FramePublisher(link);
  }

  /** Unstored bytes, their limit, and messages dropped over it. */
  get waiting(): Record<'used' | 'limit' | 'refused', number> {
    return this.publisher.usage;
  }

  /** Queues consecutive frames, joined by line breaks; returns their stored size at once. */
  append({ spaceId, key, epoch, isForHolder }: FrameWriter, firstSeq: number, frames: string): StoredSize {
    const messageId = `${key}:${epoch}:${firstSeq}${isForHolder ? ':again' : ''}`;
    const batch = { spaceId, subject: frameSubject(key), messageId, epoch, firstSeq };
    return this.publisher.publish(batch, Buffer.from(frames));
  }

  /**
   * Fences off a previous holder: its late frames are ignored from here on. Returns the last frame number that counts;
   * 0 if none.
   */
  async fence(key: string, epoch: number): Promise<number> {
    const head = headers();
    head.set(EPOCH_HEADER, String(epoch));
    await this.link.nc
      .jetstream()
      .publish(frameSubject(key), '', { msgID: `${key}:${epoch}:fence`, headers: head, timeout: 5000 });
    return this.lastOfAll(key);
  }

  /** Whether all appended frames of a turn are stored. */
  isStored(key: string): boolean {
    return !this.publisher.isPending(frameSubject(key));
  }

  /** Number of the first frame of a turn that NATS may not have got; null if it has all. */
  firstUnsent(key: string): number | null {
    return this.publisher.firstUnsent(frameSubject(key));
  }

  /** Number of the first frame that was handed over for a turn and is not stored; null if all are. */
  firstUnconfirmed(key: string): number | null {
    return this.publisher.firstPending(frameSubject(key));
  }

  /** Number of the last stored frame of a turn whose last holder had this epoch; 0 if none. */
  async lastSeq(key: string, epoch: number): Promise<number> {
    const reply = await this.link.nc.request(
      `$JS.API.STREAM.MSG.GET.${FRAMES_STREAM}`,
      JSON.stringify({ last_by_subj: frameSubject(key) }),
      { timeout: 5000 },
    );
    const found = reply.json<{
      message?: { data?: string; hdrs?: string };
      error?: { code: number; description: string };
    }>();
    if (found.error?.code === 404) return 0;
    if (!found.message) throw framesUnavailable();
    const bytes = Buffer.from(found.message.data ?? '', 'base64');
    const written = new RegExp(`${EPOCH_HEADER}: (\\d+)`).exec(atob(found.message.hdrs ?? ''))?.[1];
    // A fence without frames after it, or a late write of the previous holder.
    if (bytes.byteLength === 0 || Number(written ?? 0) < epoch) return this.lastOfAll(key);
    return seqOfFrame(unpackFrames(bytes).at(-1) ?? '');
  }

  private async lastOfAll(key: string): Promise<number> {
    const signal = AbortSignal.timeout(READ_WITHIN_MS);
    const puller = new FramePuller(this.link, frameSubject(key), false, signal);
    const batches = new FrameReorderBuffer(null);
    try {
      for await (const message of puller.messages()) batches.take(message);
    } finally {
      puller.close();
    }
    // An aborted read says nothing about the end of the log.
    if (signal.aborted) throw framesUnavailable();
    return batches.last;
  }

  /** Whether the stream was recreated after this time. */
  async wasRecreatedSince(time: string): Promise<boolean> {
    const manager = await this.link.nc.jetstreamManager({ checkAPI: false });
    const { created } = await manager.streams.info(FRAMES_STREAM);
    return Date.parse(created) > Date.parse(time);
  }

  /** Removes a turn's frames, or all but the last messages. Its readers get STREAM_EXPIRED. */
  async remove(key: string, keepMessages = 0): Promise<void> {
    const manager = await this.link.nc.jetstreamManager({ checkAPI: false });
    const keep = keepMessages > 0 ? { keep: keepMessages } : {};
    await manager.streams.purge(FRAMES_STREAM, { filter: frameSubject(key), ...keep });
  }

  /** Removes this share of a turn's messages from the start; the last one stays. */
  async removeShare(key: string, share: number): Promise<void> {
    const subject = frameSubject(key);
    const manager = await this.link.nc.jetstreamManager({ checkAPI: false });
    const { state } = await manager.streams.info(FRAMES_STREAM, { subjects_filter: subject });
    const left = Math.floor((state.subjects?.[subject] ?? 0) * (1 - share));
    await this.remove(key, Math.max(1, left));
  }

  /**
   * Reads the stored frames after a number. Throws STREAM_EXPIRED if the first of them were removed. Null: all that are
   * stored.
   */
  read(key: string, after: number | null, signal: AbortSignal): AsyncGenerator<string[], void, undefined> {
    return this.pull(key, after, signal, false);
  }

  /** All stored frames of a turn; fails if reading takes too long. */
  async *stored(key: string): AsyncGenerator<string, void, undefined> {
    const signal = AbortSignal.timeout(READ_WITHIN_MS);
    for await (const frames of this.read(key, null, signal)) yield* frames;
    if (signal.aborted) throw framesUnavailable();
  }

  /** Reads stored frames, then follows live until the reader leaves. */
  follow(key: string, after: number, signal: AbortSignal): AsyncGenerator<string[], void, undefined> {
    return this.pull(key, after, signal, true);
  }

  /** `work` runs after a disconnect, before unstored frames are sent again; it may drop some. */
  beforeResending(work: () => Promise<void>): void {
    this.publisher.beforeResending = work;
  }

  /** `work` runs if frames that NATS had not got may be there now: of one turn, or of any. */
  afterSending(work: (key: string | null) => void): void {
    this.publisher.afterSending = (subject) => {
      work(subject === null ? null : subject.slice(frameSubject('').length));
    };
  }

  /** This process holds the turn under another epoch now: its unstored frames are written under that one. */
  reissue(key: string, epoch: number): void {
    this.publisher.reissue(frameSubject(key), epoch);
  }

  /** Another process writes this turn's frames now. */
  drop(key: string): void {
    this.publisher.drop(frameSubject(key));
  }

  stop(): void {
    this.publisher.stop();
  }

  private async *pull(
    key: string,
    after: number | null,
    signal: AbortSignal,
    live: boolean,
  ): AsyncGenerator<string[], void, undefined> {
    const puller = new FramePuller(this.link, frameSubject(key), live, signal);
    const batches = new FrameReorderBuffer(after);
    let gap: NodeJS.Timeout | undefined;
    try {
      for await (const message of puller.messages()) {
        for (const fresh of batches.take(message)) yield fresh;
        if (batches.early > REORDER_LIMIT) throw streamExpired();
        if (batches.early === 0) {
          clearTimeout(gap);
          gap = undefined;
        } else gap ??= setTimeout(() => puller.close(), GAP_AFTER_MS);
      }
    } finally {
      clearTimeout(gap);
      puller.close();
    }
    if (batches.early > 0 || (!live && !batches.any && after === 0)) throw streamExpired();
  }
}
