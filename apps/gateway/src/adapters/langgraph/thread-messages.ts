import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  hasScope,
  lending,
  type MessageView,
  type Page,
  requireSpace,
  SessionCalls,
} from '@switchyard/contracts';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { Bus } from '@switchyard/messaging';
import { Metrics, PayerCache } from '@switchyard/service';

const PAGE = 100;
/** The newest messages of a thread that its state has, and the most characters of them. */
const MAX_MESSAGES = 1_000;
const MAX_CHARS = 8 * 1024 * 1024;
/** Each of them is up to megabytes of memory. */
const READ_AT_ONCE = 8;

const sizeOf = (message: MessageView): number => JSON.stringify(message).length;

/** The transcripts of sessions, as threads show them. */
@Injectable()
export class ThreadMessages {
  private readonly slots = new FairSemaphore({
    slots: READ_AT_ONCE,
    share: READ_AT_ONCE / 2,
    waitMs: 10_000,
    waiting: { all: 2_000, each: 500 },
    refusal: tooManyWaitFor('transcripts'),
  });

  constructor(
    private readonly bus: Bus,
    private readonly payerCache: PayerCache,
    metrics: Metrics,
  ) {
    const { slots } = this;
    metrics.bounded(
      {
        name: 'switchyard_transcript_reads',
        help: 'Transcripts of threads that are read at the moment.',
        measures: ['used', 'limit', 'waiting', 'refused'],
      },
      (set) => set({ used: slots.used, limit: slots.slots, waiting: slots.waiting, refused: slots.refused }),
    );
  }

  mayRead(ctx: Ctx): boolean {
    return hasScope(ctx.scopes, 'sessions:read');
  }

  /** The newest messages of a session, oldest first. */
  newest(ctx: Ctx, sessionId: string): Promise<MessageView[]> {
    const lent = lending(ctx, SessionCalls.newestMessages);
    return this.slots.run(this.payerCache.of(requireSpace(ctx)), () =>
      newestOf((cursor) =>
        this.bus.call(SessionCalls.newestMessages, lent, {
          sessionId,
          limit: PAGE,
          ...(cursor === null ? {} : { cursor }),
        }),
      ),
    );
  }
}

/** Reads pages from the newest backwards, up to the last one with visible content. */
export async function newestOf(read: (cursor: string | null) => Promise<Page<MessageView>>): Promise<MessageView[]> {
  const newestFirst: MessageView[] = [];
  let chars = 0;
  let cursor: string | null = null;
  do {
    const page: Page<MessageView> = await read(cursor);
    for (const message of page.items.toReversed()) {
      chars += sizeOf(message);
      // The newest one is shown at any size.
      if (newestFirst.length > 0 && (chars > MAX_CHARS || newestFirst.length === MAX_MESSAGES))
        return newestFirst.reverse();
      newestFirst.push(message);
    }
    cursor = page.nextCursor;
  } while (cursor !== null && newestFirst.length < MAX_MESSAGES);
  return newestFirst.reverse();
}

/** The transcript before a turn's own output, up to its user message. */
export function upTo(messages: readonly MessageView[], turnId: string): MessageView[] {
  const lastUserMessage = messages.findLastIndex((message) => message.turnId === turnId && message.role === 'user');
  if (lastUserMessage !== -1) return messages.slice(0, lastUserMessage + 1);
  const first = messages.findIndex((message) => message.turnId === turnId);
  return first === -1 ? [...messages] : messages.slice(0, first);
}
