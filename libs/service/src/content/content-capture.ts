import { type ContentCaptureView, type Ctx, KeyCalls, actAs } from '@switchyard/contracts';
import { ContentWriter, type Span, upToEntries } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';

/** How long a Space that captures nothing is not asked again. A change is announced, and holds at once where it is heard. */
const OFF_MS = 5_000;
const TIMEOUT_MS = 5_000;
/** Spans whose content is being written. More of them end without. */
const SIDE_BY_SIDE = 64;

const OMITTED = 'switchyard.content.left_out';

/** Writes the long attributes of a span. */
export type Content = (writer: ContentWriter) => Promise<Readonly<Record<string, string | undefined>>>;

/**
 * Whether spans may hold what was said: only where the operator and the Space both say so, and only with the Space's
 * secrets masked. In doubt (the key service is away, too many secrets, too much at once) they hold nothing.
 */
export class ContentCapture {
  /** Spaces that are known to capture nothing. Those that do are asked each time: the values of secrets are not kept. */
  private readonly off = new LRUCache<string, true>({ ...upToEntries(20_000), ttl: OFF_MS });
  private changes = 0;
  private writing = 0;

  constructor(
    private readonly bus: Bus,
    /** The operator allows it, and there are traces. */
    private readonly isAllowed: boolean,
  ) {}

  /** Ends the span, which says when the work ended and not when its content was written. */
  end(span: Span, ctx: Ctx, content: Content): void {
    if (!this.isAllowed || ctx.spaceId === null || !span.isRecorded || this.off.has(ctx.spaceId)) {
      span.end();
      return;
    }
    void this.endWith(span, ctx, content, Date.now());
  }

  /** The Space's settings have changed. */
  invalidate(spaceId: string): void {
    this.changes += 1;
    this.off.delete(spaceId);
  }

  private async endWith(span: Span, ctx: Ctx, content: Content, endedAt: number): Promise<void> {
    if (this.writing >= SIDE_BY_SIDE) {
      span.set({ [OMITTED]: 'busy' });
      span.end(endedAt);
      return;
    }
    this.writing += 1;
    try {
      const { captures, secrets } = await this.ask(ctx);
      if (captures && secrets === null) span.set({ [OMITTED]: 'secrets' });
      if (captures && secrets !== null) span.carry(await content(new ContentWriter(secrets)));
    } catch {
      span.set({ [OMITTED]: 'failed' });
    } finally {
      this.writing -= 1;
      span.end(endedAt);
    }
  }

  private async ask(ctx: Ctx): Promise<ContentCaptureView> {
    const { changes } = this;
    const spaceId = ctx.spaceId ?? '';
    const view = await this.bus.call(
      KeyCalls.getContentCapture,
      actAs(ctx, {}),
      { spaceId },
      { timeoutMs: TIMEOUT_MS },
    );
    if (!view.captures && this.changes === changes) this.off.set(spaceId, true);
    return view;
  }
}
