import { Injectable } from '@nestjs/common';
import { type Ctx, hasScope, lending, type MessageView, type Page, SessionCalls } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';

const PAGE = 100;
/** The newest messages of a thread that its state has, and the most characters of them. */
const MOST_MESSAGES = 1_000;
const MOST_CHARS = 8 * 1024 * 1024;

const sizeOf = (message: MessageView): number => JSON.stringify(message).length;

/** The transcripts of sessions, as threads show them. */
@Injectable()
export class Transcripts {
  constructor(private readonly bus: Bus) {}

  mayRead(ctx: Ctx): boolean {
    return hasScope(ctx.scopes, 'sessions:read');
  }

  /** The newest messages of a session, oldest first. */
  async newest(ctx: Ctx, sessionId: string): Promise<MessageView[]> {
    const lent = lending(ctx, SessionCalls.listMessages);
    const { messageCount } = await this.bus.call(SessionCalls.get, lending(ctx, SessionCalls.get), { id: sessionId });
    // Numbers of messages are not smaller than their count.
    const after = Math.max(0, messageCount - MOST_MESSAGES);
    const messages: MessageView[] = [];
    let chars = 0;
    let cursor: string | null = null;
    do {
      const page: Page<MessageView> = await this.bus.call(SessionCalls.listMessages, lent, {
        sessionId,
        limit: PAGE,
        ...(cursor === null ? { after } : { after, cursor }),
      });
      for (const message of page.items) {
        messages.push(message);
        chars += sizeOf(message);
        for (let oldest = messages[0]; oldest && chars > MOST_CHARS && messages.length > 1; oldest = messages[0]) {
          chars -= sizeOf(oldest);
          messages.shift();
        }
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    return messages;
  }
}

/** What stands in a transcript before a turn says anything itself: up to the words of its user. */
export function upTo(messages: readonly MessageView[], turnId: string): MessageView[] {
  const asked = messages.findLastIndex((message) => message.turnId === turnId && message.role === 'user');
  if (asked !== -1) return messages.slice(0, asked + 1);
  const first = messages.findIndex((message) => message.turnId === turnId);
  return first === -1 ? [...messages] : messages.slice(0, first);
}
