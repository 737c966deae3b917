import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { NatsLink } from '../connection/nats-link';
import { FRAMES_STREAM } from '../durable/topology';
import { FrameBatch, framesAfter, packFrames, seqOf, unpackFrames } from './frame-batch';
import { FramePublisher } from './frame-publisher';
import { FramePuller } from './frame-puller';

export const frameSubject = (key: string): string => `frames.${key}`;

export const streamExpired = (): AppError =>
  new AppError(
    'STREAM_EXPIRED',
    'The frames before this point are no longer kept. Read the session’s messages instead.',
  );

/** How long a follower waits for a batch that was overtaken by a later one. */
const REORDER_LIMIT = 64;

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

  /** Hands over frames that follow each other; returns at once. */
  append(key: string, firstSeq: number, frames: readonly string[]): void {
    this.publisher.publish(frameSubject(key), `${key}:${firstSeq}`, packFrames(frames));
  }

  /** Whether everything handed over for a turn is stored. */
  isStored(key: string): boolean {
    return !this.publisher.isPending(frameSubject(key));
  }

  /** The number of the last stored frame; 0 when none is. */
  async lastSeq(key: string): Promise<number> {
    const reply = await this.link.nc.request(
      `$JS.API.STREAM.MSG.GET.${FRAMES_STREAM}`,
      JSON.stringify({ last_by_subj: frameSubject(key) }),
      { timeout: 5000 },
    );
    const found = reply.json<{ message?: { data?: string }; error?: { code: number; description: string } }>();
    if (found.error?.code === 404) return 0;
    if (!found.message)
      throw new AppError('SERVICE_UNAVAILABLE', 'The frames of this turn cannot be read now. Try again.');
    const frames = unpackFrames(Buffer.from(found.message.data ?? '', 'base64'));
    return seqOf(frames.at(-1) ?? '');
  }

  /** Whether what was stored before this time is gone: the log was made anew since. */
  async wasLostSince(time: string): Promise<boolean> {
    const manager = await this.link.nc.jetstreamManager({ checkAPI: false });
    const { created } = await manager.streams.info(FRAMES_STREAM);
    return Date.parse(created) > Date.parse(time);
  }

  /** What is stored now, after a number. Throws STREAM_EXPIRED where the first of it is gone. */
  read(key: string, after: number, signal: AbortSignal): AsyncGenerator<string[], void, undefined> {
    return this.pull(key, after, signal, false);
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
    after: number,
    signal: AbortSignal,
    live: boolean,
  ): AsyncGenerator<string[], void, undefined> {
    const puller = new FramePuller(this.link, frameSubject(key), live, signal);
    const early: FrameBatch[] = [];
    let last = after;
    let any = false;
    try {
      for await (const bytes of puller.messages()) {
        any = true;
        const frames = unpackFrames(bytes);
        const batch: FrameBatch = { firstSeq: seqOf(frames[0] ?? ''), frames };
        early.push(batch);
        early.sort((a, b) => a.firstSeq - b.firstSeq);
        for (let next = early[0]; next !== undefined; next = early[0]) {
          const fresh = framesAfter(next, last);
          if (fresh === null) break;
          early.shift();
          if (fresh.length === 0) continue;
          last += fresh.length;
          yield fresh;
        }
        if (early.length > REORDER_LIMIT) throw streamExpired();
      }
    } finally {
      puller.close();
    }
    if (early.length > 0 || (!live && !any && after === 0)) throw streamExpired();
  }
}
