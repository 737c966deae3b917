import type { ActivityRow, Ctx } from '@switchyard/contracts';
import type { AppError } from '@switchyard/kernel';
import type { SseWriter } from '../../turn-events/sse-writer';
import { maySee, readableKinds, type ActivityQuery } from './activity-access';

/** Rows that wait for a slow reader; over it, the stream ends, and the list tells the reader what it missed. */
const MAX_WAITING = 2000;

const recordOf = ({ kind, id, userId }: ActivityRow): string =>
  `${kind}/${id}/${kind === 'turn' ? (userId ?? '') : ''}`;

/** One reader of a Space's activity. While it does not read, only the last state of each row waits for it. */
export class ActivityWatcher {
  private readonly waiting = new Map<string, ActivityRow>();
  private readonly kinds;
  private isWriting = false;

  constructor(
    private readonly ctx: Ctx,
    private readonly query: ActivityQuery,
    private readonly writer: Pick<SseWriter, 'write' | 'end' | 'isOpen'>,
  ) {
    this.kinds = readableKinds(ctx, query);
  }

  /** `audiences` has the one user who may see a row, for rows that not every member may see. */
  offer(rows: readonly ActivityRow[], audiences: ReadonlyMap<ActivityRow, string> = new Map()): void {
    for (const row of rows) if (this.isNeeded(row, audiences.get(row))) this.waiting.set(recordOf(row), row);
    if (this.waiting.size > MAX_WAITING) {
      this.waiting.clear();
      this.writer.end(': TOO_SLOW More changes waited than a stream holds. Read the list and connect again.\n\n');
      return;
    }
    if (!this.isWriting && this.waiting.size > 0)
      this.write().catch(() => {
        this.writer.end();
      });
  }

  /** Changes may be missing. The list has them. */
  miss(): void {
    this.waiting.clear();
    this.writer.end(': CHANGES_MISSED Changes may be missing. Read the list and connect again.\n\n');
  }

  refuse({ code, message }: AppError): void {
    this.waiting.clear();
    this.writer.end(`: ${code} ${message}\n\n`);
  }

  end(): void {
    this.writer.end();
  }

  private isNeeded(row: ActivityRow, audience: string | undefined): boolean {
    const { userId } = this.query;
    return (
      (this.kinds.get(row.kind)?.includes(row.status) ?? false) &&
      (userId === undefined || row.userId === userId) &&
      maySee(this.ctx, { ...row, audience })
    );
  }

  private async write(): Promise<void> {
    this.isWriting = true;
    try {
      while (this.waiting.size > 0 && this.writer.isOpen) {
        const text = [...this.waiting.values()]
          .map((row) => `event: activity\ndata: ${JSON.stringify(row)}\n\n`)
          .join('');
        this.waiting.clear();
        if (!(await this.writer.write(text))) return;
      }
    } finally {
      this.isWriting = false;
    }
  }
}
