import { Inject, Injectable } from '@nestjs/common';
import { seqOfFrame } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { headers } from 'nats';
import { NatsLink } from '../transport/nats-link';
import { FRAMES_STREAM } from '../transport/topology';
import { unpackFrames } from './frame-batch';
import { BatchOrder } from './batch-order';
import { FramePublisher, type StoredSize } from './frame-publisher';
import { EPOCH_HEADER, FramePuller, gone } from './frame-puller';

export const frameSubject = (key: string): string => `frames.${key}`;

export const streamExpired = (): AppError =>
  new AppError(
    'STREAM_EXPIRED',
    'The frames before this point are no longer kept. Read the session’s messages instead.',
  );

/** How long the whole log of a turn may take where others wait for it. */
const READ_WITHIN_MS = 15_000;
/** How long a follower waits for a batch that was overtaken by a later one. */
const REORDER_LIMIT = 64;
/** After this time, a batch that still does not come was removed; one that was lost on its way is sent again sooner. */
const GAP_AFTER_MS = 10_000;

/** The turn that is written, and under which lease. */
interface FrameWriter {
  spaceId: string;
  key: string;
  epoch: number;
}

/**
 * The frames of turns, kept for a day by JetStream. What `append` was given is stored in order, exactly once,
 * as soon as the line allows; readers get it from any process.
 */
@Injectable()
export class FrameLog {
  private readonly publisher: FramePublisher;

  constructor(@Inject(NatsLink) private readonly link: NatsLink) {
    this.publisher = new FramePublisher(link);
  }

  /** Bytes of what is not stored yet, what they may be, and how many messages were given up over it. */
  get waiting(): Record<'used' | 'limit' | 'refused', number> {
    return this.publisher.usage;
  }

  /** Hands over frames that follow each other, joined by line breaks; answers at once with what they will take. */
  append({ spaceId, key, epoch }: FrameWriter, firstSeq: number, frames: string): StoredSize {
    const batch = { spaceId, subject: frameSubject(key), messageId: `${key}:${epoch}:${firstSeq}`, epoch };
    return this.publisher.publish(batch, Buffer.from(frames));
  }

  /**
   * From here on nobody reads what an earlier holder still writes: it may have been on its way for as long as the line
   * was slow. Answers with the number of the last frame that counts; 0 when there is none.
   */
  async fence(key: string, epoch: number): Promise<number> {
    const head = headers();
    head.set(EPOCH_HEADER, String(epoch));
    await this.link.nc
      .jetstream()
      .publish(frameSubject(key), '', { msgID: `${key}:${epoch}:fence`, headers: head, timeout: 5000 });
    return this.lastOfAll(key);
  }

  /** Whether everything handed over for a turn is stored. */
  isStored(key: string): boolean {
    return !this.publisher.isPending(frameSubject(key));
  }

  /** The number of the last stored frame of a turn whose last holder had this epoch; 0 when none is. */
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
    if (!found.message) throw gone();
    const bytes = Buffer.from(found.message.data ?? '', 'base64');
    const written = new RegExp(`${EPOCH_HEADER}: (\\d+)`).exec(atob(found.message.hdrs ?? ''))?.[1];
    // A fence, and no frame behind it yet; or what an earlier holder wrote too late.
    if (bytes.byteLength === 0 || Number(written ?? 0) < epoch) return this.lastOfAll(key);
    return seqOfFrame(unpackFrames(bytes).at(-1) ?? '');
  }

  private async lastOfAll(key: string): Promise<number> {
    const signal = AbortSignal.timeout(READ_WITHIN_MS);
    const puller = new FramePuller(this.link, frameSubject(key), false, signal);
    const batches = new BatchOrder(null);
    try {
      for await (const message of puller.messages()) batches.take(message);
    } finally {
      puller.close();
    }
    // What was read of it until then says nothing about its end.
    if (signal.aborted) throw gone();
    return batches.last;
  }

  /** Whether what was stored before this time is gone: the log was made anew since. */
  async wasLostSince(time: string): Promise<boolean> {
    const manager = await this.link.nc.jetstreamManager({ checkAPI: false });
    const { created } = await manager.streams.info(FRAMES_STREAM);
    return Date.parse(created) > Date.parse(time);
  }

  /** Removes the frames of a turn, or all but its last messages. Their readers get STREAM_EXPIRED. */
  async remove(key: string, keepMessages = 0): Promise<void> {
    const manager = await this.link.nc.jetstreamManager({ checkAPI: false });
    const keep = keepMessages > 0 ? { keep: keepMessages } : {};
    await manager.streams.purge(FRAMES_STREAM, { filter: frameSubject(key), ...keep });
  }

  /** Removes the first messages of a turn, as large a share of them; its last message stays. */
  async removeShare(key: string, share: number): Promise<void> {
    const subject = frameSubject(key);
    const manager = await this.link.nc.jetstreamManager({ checkAPI: false });
    const { state } = await manager.streams.info(FRAMES_STREAM, { subjects_filter: subject });
    const left = Math.floor((state.subjects?.[subject] ?? 0) * (1 - share));
    await this.remove(key, Math.max(1, left));
  }

  /**
   * What is stored now, after a number. Throws STREAM_EXPIRED where the first of it is gone. With null instead of a
   * number: whatever is left.
   */
  read(key: string, after: number | null, signal: AbortSignal): AsyncGenerator<string[], void, undefined> {
    return this.pull(key, after, signal, false);
  }

  /** All that is left of a turn's frames, for work that others wait for: it fails where that takes too long. */
  async *kept(key: string): AsyncGenerator<string, void, undefined> {
    const signal = AbortSignal.timeout(READ_WITHIN_MS);
    for await (const frames of this.read(key, null, signal)) yield* frames;
    if (signal.aborted) throw gone();
  }

  /** What is stored, then what gets stored, until the reader leaves. */
  follow(key: string, after: number, signal: AbortSignal): AsyncGenerator<string[], void, undefined> {
    return this.pull(key, after, signal, true);
  }

  /** `work` runs after a break of the line, before what is not stored yet is sent again; it may drop some of it. */
  beforeResending(work: () => Promise<void>): void {
    this.publisher.beforeResending = work;
  }

  /** Somebody else writes the frames of this turn now. */
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
    const batches = new BatchOrder(after);
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
