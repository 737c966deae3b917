import { Injectable } from '@nestjs/common';
import { type ActivityStreamFilter, type Ctx, requireSpace } from '@switchyard/contracts';
import type { AppError } from '@switchyard/kernel';
import type { FastifyReply } from 'fastify';
import { ActiveResponses } from '../../auth/active-responses';
import { UnreadResponses } from '../../limits/unread-responses';
import { SseWriter } from '../../turn-events/sse-writer';
import { ActivityHub } from './activity-hub';
import { ActivityWatcher } from './activity-watcher';

/** Opens streams of activity, and ends them with the credential that opened them. */
@Injectable()
export class ActivityStreams {
  constructor(
    private readonly streams: ActiveResponses,
    private readonly hub: ActivityHub,
    private readonly unread: UnreadResponses,
  ) {}

  async send(ctx: Ctx, reply: FastifyReply, filter: ActivityStreamFilter): Promise<void> {
    let refusal: AppError | undefined;
    let refuse = (reason: AppError): void => {
      refusal = reason;
    };
    const leave = this.streams.enter(
      ctx,
      (reason) => {
        refuse(reason);
      },
      { endsWithRights: true },
    );
    let unwatch = (): void => undefined;
    const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve));
    try {
      // Changes are noted before the stream opens, so none that a reader makes afterwards is missed.
      const writer = new LateWriter();
      const watcher = new ActivityWatcher(ctx, filter, writer);
      unwatch = await this.hub.watch(requireSpace(ctx), watcher);
      if (refusal) throw refusal;
      if (reply.raw.destroyed) return;
      refuse = (reason) => {
        watcher.refuse(reason);
      };
      reply.hijack();
      await writer.open(new SseWriter(reply.raw, reply.getHeaders(), this.unread));
      await closed;
    } finally {
      unwatch();
      leave();
    }
  }
}

/** Rows may come before the answer has begun. */
class LateWriter {
  private readonly early: string[] = [];
  private writer: SseWriter | undefined;

  get isOpen(): boolean {
    return this.writer?.isOpen ?? true;
  }

  async open(writer: SseWriter): Promise<void> {
    this.writer = writer;
    await writer.write(`: connected\n\n${this.early.splice(0).join('')}`);
  }

  write(text: string): Promise<boolean> {
    if (this.writer) return this.writer.write(text);
    this.early.push(text);
    return Promise.resolve(true);
  }

  end(text?: string): void {
    this.writer?.end(text);
  }
}
