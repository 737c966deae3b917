import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type CreditSpace, type Ctx, type LedgerRow, RelayCalls, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError, type ErrorCode, failpoint, invalid, isTransient, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger, Workers } from '@switchyard/service';
import { SecurityLog, originOf } from '../audit/security-log';
import { type CreditIntent, CreditIntentsRepository } from '../db/credit-intents.repository';
import { OperatorSpacesRepository } from '../db/operator-spaces.repository';

const LOOK_MS = 4_000;
/** Refusals that another try may not meet. */
const PASSING: readonly ErrorCode[] = ['REQUEST_IN_PROGRESS', 'RATE_LIMITED'];

const isRefused = (error: unknown): boolean =>
  error instanceof AppError && error.status < 500 && !PASSING.includes(error.code);

/**
 * Credits of operators. The intent is recorded first; the relay books it once, under the intent's id, however often it is
 * called; then the security event is written together with the end of the intent.
 */
@Injectable()
export class OperatorCredits implements OnModuleInit {
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
    this.workers.poll('book open credits', LOOK_MS, work, this.database.lookouts.for(this.intents.anyDue));
  }

  /** If the idempotency key was used before, its intent is booked again, which changes nothing more. */
  async credit(ctx: Ctx, { spaceId, tokens, note }: CreditSpace): Promise<LedgerRow> {
    if (tokens === 0) throw invalid('tokens', 'must be more than 0, or less than 0 to reduce the balance');
    const found = await this.database.system('find a Space', (tx) => this.spaces.find(tx, spaceId));
    if (!found) throw new AppError('NOT_FOUND', 'Space not found.');
    const intent = await this.database.once({ ...ctx, spaceId }, async (tx) => {
      const added: CreditIntent = { spaceId, id: newId(), tokens, note: note ?? null, origin: originOf(ctx) };
      await this.intents.add(tx, added);
      return added;
    });
    await failpoint('key.credit-recorded');
    try {
      return await this.book(ctx, intent);
    } catch (error) {
      if (!isTransient(error) || !(error instanceof AppError)) throw error;
      throw new AppError(
        error.code,
        'The credit is recorded, and is booked as soon as the relay answers. Repeat it with the same idempotency key only.',
        { cause: error, retryAfterSeconds: error.retryAfterSeconds ?? 1 },
      );
    }
  }

  private async bookDue(): Promise<boolean> {
    const intent = await this.database.system('take an open credit', (tx) => this.intents.takeDue(tx));
    if (!intent) return false;
    try {
      const ctx = { ...serviceCtx('key'), requestId: intent.origin.requestId, userId: intent.origin.actorUserId };
      await this.book(ctx, intent);
      this.logger.info({ space: intent.spaceId, credit: intent.id }, 'an open credit was booked');
    } catch (error) {
      this.logger.warn({ err: error, space: intent.spaceId, credit: intent.id }, 'an open credit is not booked yet');
    }
    return true;
  }

  private async book(ctx: Ctx, intent: CreditIntent): Promise<LedgerRow> {
    const { spaceId, id, tokens, note, origin } = intent;
    const once = { ...ctx, spaceId, idempotency: { key: id, route: RelayCalls.creditSpace.subject, fingerprint: id } };
    let row: LedgerRow;
    try {
      row = await this.bus.call(RelayCalls.creditSpace, once, { tokens, ...(note === null ? {} : { note }) });
    } catch (error) {
      // The operator has the refusal: no later try may book it.
      if (isRefused(error)) await this.database.system('end a refused credit', (tx) => this.intents.settle(tx, intent));
      throw error;
    }
    await failpoint('key.credit-booked');
    await this.database.system('record a credit', async (tx) => {
      const details = { tokens, note, balance: row.balanceAfter };
      await this.log.ofCredit(tx, spaceId, { id: row.id, details, origin });
      await this.intents.settle(tx, intent);
    });
    return row;
  }
}
