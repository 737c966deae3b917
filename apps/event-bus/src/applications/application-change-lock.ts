import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { Database, type Tx, earlierAnswer } from '@switchyard/database';
import { AppError, newId, sleep } from '@switchyard/kernel';
import { Logger } from '@switchyard/service';
import { type ApplicationChange, ApplicationChangesRepository, type Watch } from '../db/application-changes.repository';
import { RemoteResources } from './remote-resources';

/** Others usually take a fraction of a second. */
const WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 100;

export type Noted<Start, Answer> = { change: ApplicationChange; start: Start } | { earlier: Answer };
type Subject = Pick<ApplicationChange, 'spaceId' | 'applicationId' | 'identifier' | 'kind'>;

const busy = (): AppError =>
  new AppError('REQUEST_IN_PROGRESS', 'Another change of this application is still running. Try again shortly.', {
    retryAfterSeconds: 1,
  });

const changeGivenUp = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The change took too long and was given up. Try again.', {
    retryAfterSeconds: 1,
  });

/**
 * A change of an application asks other services, and no transaction may wait for them. So it is noted first: the note
 * keeps other changes of the application away, and it goes with the commit of the result. Should the process die in
 * between, the note says what there is to settle.
 */
@Injectable()
export class ApplicationChangeLock {
  constructor(
    private readonly database: Database,
    private readonly changes: ApplicationChangesRepository,
    private readonly remoteResources: RemoteResources,
    private readonly logger: Logger,
  ) {}

  /**
   * Notes the change that `subject` finds, and reads what it starts from. Waits, without a connection, while another
   * change runs. A repeated request gets its earlier answer instead.
   */
  async begin<Start, Answer>(
    ctx: Ctx,
    subject: (tx: Tx) => Promise<Subject>,
    read: (tx: Tx, subject: Subject) => Promise<Start>,
  ): Promise<Noted<Start, Answer>> {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const noted = await this.database.transaction(ctx, async (tx): Promise<Noted<Start, Answer> | null> => {
        const earlier = await earlierAnswer<Answer>(tx, ctx);
        if (earlier) return { earlier: earlier.answer };
        const { userId, credentialId, requestId } = ctx;
        const actor = { userId, credentialId, requestId };
        const change = { ...(await subject(tx)), id: newId(), attempt: 0, actor, watches: [] };
        if (!(await this.changes.begin(tx, change))) return null;
        // The one that it waited for may have been this very request.
        const meanwhile = await earlierAnswer<Answer>(tx, ctx);
        if (!meanwhile) return { change, start: await read(tx, change) };
        await this.changes.end(tx, change);
        return { earlier: meanwhile.answer };
      });
      if (noted) return noted;
      if (Date.now() > end) throw busy();
      await sleep(LOOK_AGAIN_MS);
    }
  }

  /** Before they are set or removed: the settler then knows of them. */
  async keepWatches(change: ApplicationChange, watches: Watch[]): Promise<void> {
    change.watches = watches;
    if (watches.length === 0) return;
    const isStored = await this.database.inSpace(change.spaceId, (tx) => this.changes.keepWatches(tx, change));
    if (!isStored) throw changeGivenUp();
  }

  /** With the result, in its transaction. Throws if another process has taken the change over. */
  async end(tx: Tx, change: ApplicationChange): Promise<void> {
    if (!(await this.changes.end(tx, change))) throw changeGivenUp();
  }

  /** As `end`, unless watches are left to be removed: then the note stays until `clear` has removed them. */
  async endAfterCleanup(tx: Tx, change: ApplicationChange, unwatch: readonly Watch[]): Promise<void> {
    if (unwatch.length === 0) await this.end(tx, change);
    else if (!(await this.changes.renew(tx, change))) throw changeGivenUp();
  }

  /**
   * Removes what the committed change left on datasets, and then its note. If a dataset cannot be reached, the note
   * stays for the settler: the result counts all the same.
   */
  async clear(ctx: Ctx, change: ApplicationChange, unwatch: readonly Watch[]): Promise<void> {
    const { spaceId, applicationId } = change;
    try {
      await this.remoteResources.unwatch(ctx, unwatch);
      await this.database.inSpace(spaceId, (tx) => this.changes.end(tx, change));
    } catch (error) {
      this.logger.warn({ err: error, applicationId }, 'failed to remove watches on datasets; retrying');
      await this.database.inSpace(spaceId, (tx) => this.changes.abandon(tx, change)).catch(() => undefined);
    }
  }
}
