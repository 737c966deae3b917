import { Injectable } from '@nestjs/common';
import {
  type AwaitToolResult,
  type Ctx,
  type Items,
  type RecordToolResult,
  requireSpace,
  requireUser,
  SessionSignals,
  SIZES,
  type ToolResult,
  type ToolResultsOf,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { SpacePolicyCache } from '@switchyard/service';
import { type ToolResultRow, ToolResultsRepository } from '../db/tool-results.repository';
import { TurnLeasesRepository } from '../db/turn-leases.repository';
import { type LeaseRef, type TurnRow, TurnsRepository } from '../db/turns.repository';

const viewOf = (row: ToolResultRow): ToolResult => ({
  callId: row.callId,
  name: row.name,
  status: row.status,
  ...(row.status === 'ANSWERED' ? { result: row.result ?? null } : {}),
  error: row.error,
  expiresAt: row.expiresAt,
});

const absent = (): AppError => new AppError('NOT_FOUND', 'Tool call not found in this turn.');

const tooLarge = (): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The results of a turn may be ${SIZES.turnResults / 1024 ** 2} MiB together; this one would be too much. A smaller one is taken.`,
  );

@Injectable()
export class ToolResultsService {
  constructor(
    private readonly database: Database,
    private readonly toolResults: ToolResultsRepository,
    private readonly turns: TurnsRepository,
    private readonly leases: TurnLeasesRepository,
    private readonly policies: SpacePolicyCache,
    private readonly bus: Bus,
  ) {}

  await(ctx: Ctx, data: AwaitToolResult): Promise<ToolResult> {
    return this.database.transaction(ctx, async (tx) => {
      await this.checkLease(tx, ctx, data);
      await this.toolResults.await(tx, requireSpace(ctx), data.key, data);
      const row = await this.toolResults.find(tx, requireSpace(ctx), data.key, data.callId);
      if (!row) throw absent();
      return viewOf(row);
    });
  }

  submit(ctx: Ctx, data: RecordToolResult): Promise<ToolResult> {
    return this.database.transaction(ctx, async (tx) => {
      const turn = await this.turns.findOwn(tx, requireSpace(ctx), requireUser(ctx), data.turnId);
      if (
        !turn ||
        turn.agentId !== data.agentId ||
        (data.sessionId !== undefined && turn.sessionId !== data.sessionId)
      ) {
        throw new AppError('NOT_FOUND', 'Turn not found.');
      }
      const answer = { result: data.result, error: data.error ?? null, most: SIZES.turnResults };
      const answered = await this.toolResults.answer(tx, turn.spaceId, turn.id, data.callId, answer);
      if (answered) {
        tx.afterCommit(() => {
          this.bus.signal(SessionSignals.toolAnswered, ctx, { key: turn.id, callId: data.callId });
        });
        const { result: _, ...view } = viewOf(answered);
        return view;
      }
      const status = await this.toolResults.statusOf(tx, turn.spaceId, turn.id, data.callId);
      if (!status) throw absent();
      if (status === 'PENDING') throw tooLarge();
      throw new AppError(
        'CONFLICT',
        status === 'ANSWERED'
          ? 'This tool call has its result already.'
          : 'This tool call is over; the agent went on without it.',
      );
    });
  }

  async list(ctx: Ctx, data: ToolResultsOf): Promise<Items<ToolResult>> {
    const spaceId = requireSpace(ctx);
    const mayExpire = data.expire !== undefined && (await this.policies.statusOf(spaceId)) === 'ACTIVE';
    return this.database.transaction(ctx, async (tx) => {
      const turn = await this.checkLease(tx, ctx, data);
      if (mayExpire) await this.toolResults.expire(tx, spaceId, data.key, data.expire ?? '');
      const callId = data.callId ?? data.expire;
      const row = callId === undefined ? null : await this.toolResults.find(tx, spaceId, data.key, callId);
      const rows = callId === undefined ? await this.toolResults.list(tx, spaceId, data.key) : row ? [row] : [];
      const isAnswered = rows.some(({ status }) => status === 'ANSWERED');
      if (turn.claimReason !== null && isAnswered) await this.leases.endWait(tx, data);
      return { items: rows.map(viewOf) };
    });
  }

  private async checkLease(tx: Tx, ctx: Ctx, leased: LeaseRef): Promise<TurnRow> {
    const turn = await this.turns.findLeased(tx, requireSpace(ctx), leased);
    if (turn) return turn;
    throw new AppError('CONFLICT', `This turn is no longer held under epoch ${leased.epoch}; stop working on it.`);
  }
}
