import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type CreditSpace, type Ctx, type LedgerRow, RelayCalls, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError, failpoint, invalid, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger, Workers } from '@switchyard/service';
import { SecurityLog, originOf } from '../audit/security-log';
import { type CreditIntent, CreditIntentsRepository, REQUEST_SECONDS } from '../db/credit-intents.repository';
import { OperatorSpacesRepository } from '../db/operator-spaces.repository';

const LOOK_MS = 4_000;
const RECORDED =
  'The credit is recorded, and is booked as soon as the relay answers. If you send the same credit again within 10 ' +
  'minutes of that, it is not added a second time; later, use the same idempotency key, or look at the ledger first.';

const UNDER_WAY =
  'The same credit was sent a moment ago and has no outcome yet. Send it again later: if it has failed by then, it is ' +
  'not added a second time. For another credit, use an idempotency key.';

/** The gateway has answered with a timeout already. */
const isOver = ({ deadline }: Ctx): boolean => deadline > 0 && Date.now() > deadline;

/** Only a refusal of the values themselves is final; any other error may be temporary. */
const isRefused = (error: unknown): error is AppError => error instanceof AppError && error.code === 'VALIDATION_ERROR';

/** The relay is still booking it for an earlier request. */
const isRunning = (error: unknown): boolean => error instanceof AppError && error.code === 'REQUEST_IN_PROGRESS';

/**
 * Credits of operators. The intent is recorded first; the relay books it once, under the intent's id, however often it is
 * called; then the security event is written together with the end of the intent.
 */
@Injectable()
export class OperatorCredits implements OnModuleInit {
  /** Intents whose requests run in this process. */
  private readonly running = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly intents: CreditIntentsRepository,
    private readonly spaces: OperatorSpacesRepository,
    private readonly log: SecurityLog,
    private readonly bus: Bus,
    private readonly workers: Workers,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const work = (): Promise<boolean> => this.bookDue();
    this.workers.poll('book open credits', LOOK_MS, work, this.database.idlePoller.for(this.intents.anyDue));
  }

  /**
   * If the idempotency key was used before, its intent is booked again, which changes nothing more. Without a key, an equal
   * credit that failed and was not answered yet is repeated.
   */
  async credit(ctx: Ctx, { spaceId, tokens, note }: CreditSpace): Promise<LedgerRow> {
    if (tokens === 0) throw invalid('tokens', 'must be more than 0, or less than 0 to reduce the balance');
    const found = await this.database.system('find a Space', (tx) => this.spaces.find(tx, spaceId));
    if (!found) throw new AppError('NOT_FOUND', 'Space not found.');
    const id = newId();
    this.running.add(id);
    try {
      return await this.record(ctx, { spaceId, id, tokens, note: note ?? null, origin: originOf(ctx) });
    } finally {
      this.running.delete(id);
    }
  }

  private async record(ctx: Ctx, credit: CreditIntent): Promise<LedgerRow> {
    const intent = await this.database.once({ ...ctx, spaceId: credit.spaceId }, async (tx) => {
      const failed = ctx.idempotency ? null : await this.intents.findUnanswered(tx, credit, [...this.running]);
      if (failed?.mayRun) throw new AppError('SERVICE_UNAVAILABLE', UNDER_WAY, { retryAfterSeconds: REQUEST_SECONDS });
      if (failed) return failed;
      await this.intents.add(tx, credit);
      return credit;
    });
    await failpoint('key.credit-recorded');
    try {
      return await this.book(ctx, intent, { isAnswered: true });
    } catch (error) {
      if (isRefused(error)) throw error;
      // The first request books it, or postpones it.
      if (ctx.idempotency && isRunning(error)) throw error;
      await this.postpone(intent);
      // Also a refusal or a failure of the relay, which say nothing about the credit: to the operator it is not booked yet.
      const code = error instanceof AppError && error.code === 'TIMEOUT' ? 'TIMEOUT' : 'SERVICE_UNAVAILABLE';
      const retryAfterSeconds = (error instanceof AppError ? error.retryAfterSeconds : undefined) ?? 1;
      throw new AppError(code, RECORDED, { cause: error, retryAfterSeconds });
    }
  }

  /** If this fails as well, the intent is due a minute after it was recorded. */
  private async postpone(intent: CreditIntent): Promise<void> {
    try {
      await this.database.system('postpone a credit', (tx) => this.intents.postpone(tx, intent));
    } catch (error) {
      this.logger.warn({ err: error, space: intent.spaceId, credit: intent.id }, 'failed to reschedule a credit');
    }
  }

  private async bookDue(): Promise<boolean> {
    const intent = await this.database.system('take an open credit', (tx) => this.intents.takeDue(tx));
    if (!intent) return false;
    const { requestId, actorUserId: userId, credentialId } = intent.origin;
    try {
      // With the caller's own ids, which an idempotency key belongs to: a relay that knows the key books nothing more.
      await this.book({ ...serviceCtx('key'), requestId, userId, credentialId }, intent, { isAnswered: false });
      this.logger.info({ space: intent.spaceId, credit: intent.id }, 'booked a pending credit');
    } catch (error) {
      const outcome = isRefused(error) ? 'an open credit was refused' : 'an open credit is not booked yet';
      this.logger.warn({ err: error, space: intent.spaceId, credit: intent.id }, outcome);
    }
    return true;
  }

  private async book(ctx: Ctx, intent: CreditIntent, { isAnswered }: { isAnswered: boolean }): Promise<LedgerRow> {
    const { spaceId, id, tokens, note, origin } = intent;
    const once = { ...ctx, spaceId, idempotency: { key: id, route: RelayCalls.creditSpace.subject, fingerprint: id } };
    let row: LedgerRow;
    try {
      row = await this.bus.call(RelayCalls.creditSpace, once, { tokens, ...(note === null ? {} : { note }) });
    } catch (error) {
      if (isRefused(error)) await this.refuse(intent, error.message);
      throw error;
    }
    await failpoint('key.credit-booked');
    await this.database.system('record a credit', async (tx) => {
      const details = { tokens, note, balance: row.balanceAfter };
      await this.log.ofCredit(tx, spaceId, { id: row.id, details, origin });
      await this.intents.settle(tx, intent);
      if (isAnswered && !isOver(ctx)) await this.intents.markAnswered(tx, intent);
      else await this.intents.markLate(tx, intent);
    });
    return row;
  }

  /** No later try books it; the event says so once, however many tries were under way. */
  private async refuse(intent: CreditIntent, reason: string): Promise<void> {
    const { spaceId, tokens, note, origin } = intent;
    await this.database.system('end a refused credit', async (tx) => {
      const wasOpen = await this.intents.settle(tx, intent);
      if (wasOpen) await this.log.ofRefusedCredit(tx, spaceId, { tokens, note, reason }, origin);
      await this.intents.markAnswered(tx, intent);
    });
  }
}
