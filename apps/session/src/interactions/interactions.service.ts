import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type AnsweredInteraction,
  type AnswerInteraction,
  type Ctx,
  type InboxInteraction,
  type InteractionView,
  type ListInteractions,
  type ListPendingInteractions,
  type Page,
  requireSpace,
  requireUser,
  roleAtLeast,
} from '@switchyard/contracts';
import { Database, type Tx, listById } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { type InboxRow, type InteractionRow, InteractionsRepository } from '../db/interactions.repository';
import { type TurnRow, TurnsRepository } from '../db/turns.repository';
import { checkAnswer, checkApproval } from '../domain/interaction-answer';
import { checkMayAnswer, isAnswerable } from '../domain/interaction-access';
import { checkAgentOf, readsEverything } from '../domain/session-access';
import { SessionConfig } from '../session.config';
import { AccessibleSessions } from '../access/accessible-sessions';
import { TurnLeasesService } from '../turns/turn-leases.service';
import { TurnSignals } from '../turns/turn-signals';
import { ApprovalMetrics } from '../turns/approval-metrics';
import { ApprovalDecisionAudit } from './approval-decision-audit';
import { identityAfterAnswer, recordOf, viewOfInteraction } from '../turns/turn-views';

const noTurn = (): AppError => new AppError('NOT_FOUND', 'Turn not found.');
const absent = (): AppError => new AppError('NOT_FOUND', 'Interaction not found.');

const PENDING_LIST = listById('interactions');
const INBOX_LIST = listById('inbox');

const inboxView = (ctx: Ctx, row: InboxRow): InboxInteraction => ({
  ...viewOfInteraction(row),
  agentId: row.agentId,
  agentName: null,
  sessionTitle: row.sessionTitle,
  userId: row.userId,
  answerable: isAnswerable(ctx, row),
});

interface LoadedInteraction {
  turn: TurnRow;
  interaction: InteractionRow;
}

const fittingAnswer = (interaction: InteractionRow, data: AnswerInteraction): ReturnType<typeof checkAnswer> =>
  (interaction.purpose === 'approval' ? checkApproval : checkAnswer)(interaction.form, data);

@Injectable()
export class InteractionsService {
  constructor(
    private readonly database: Database,
    private readonly finder: AccessibleSessions,
    private readonly interactions: InteractionsRepository,
    private readonly turns: TurnsRepository,
    private readonly bus: Bus,
    private readonly leases: TurnLeasesService,
    private readonly config: SessionConfig,
    private readonly signals: TurnSignals,
    private readonly records: ApprovalDecisionAudit,
    private readonly counts: ApprovalMetrics,
  ) {}

  async listPending(ctx: Ctx, query: ListPendingInteractions): Promise<Page<InteractionView>> {
    const { agentId, sessionId } = query;
    if (agentId !== undefined) await this.bus.call(AgentCalls.checkCallable, ctx, { agentId, forReading: true });
    const window = PENDING_LIST.windowOf(query);
    const rows = await this.database.transaction(ctx, async (tx) => {
      const session = sessionId === undefined ? null : await this.finder.getReadable(tx, ctx, sessionId);
      if (session && agentId !== undefined) checkAgentOf(session, agentId);
      const userId = session ? session.userId : requireUser(ctx);
      const filter = { userId, agentId: agentId ?? null, sessionId: sessionId ?? null, ...window };
      return this.interactions.listPending(tx, requireSpace(ctx), filter);
    });
    return PENDING_LIST.pageOf(rows, window, viewOfInteraction, rows[0]?.found);
  }

  /** The inbox: all of the Space that the caller may answer, and what became of it. */
  async list(ctx: Ctx, query: ListInteractions): Promise<Page<InboxInteraction>> {
    const window = INBOX_LIST.windowOf(query);
    const rows = await this.database.transaction(ctx, (tx) =>
      this.interactions.listInbox(tx, requireSpace(ctx), {
        userId: requireUser(ctx),
        isAdmin: readsEverything(ctx),
        isMember: roleAtLeast(ctx.role, 'MEMBER'),
        status: query.status ?? null,
        purpose: query.purpose ?? null,
        agentId: query.agentId ?? null,
        sessionId: query.sessionId ?? null,
        ...window,
      }),
    );
    return INBOX_LIST.pageOf(rows, window, (row) => inboxView(ctx, row), rows[0]?.found);
  }

  /**
   * The first fitting answer counts, and the caller who gave it goes on with the turn; the others are told what
   * counted.
   */
  answer(ctx: Ctx, data: AnswerInteraction): Promise<AnsweredInteraction> {
    return this.judge(ctx, data, (tx, request) => this.accept(tx, ctx, data, request));
  }

  /** The same decision, and what would follow from the answer. */
  tryAnswer(ctx: Ctx, data: AnswerInteraction): Promise<AnsweredInteraction> {
    return this.judge(ctx, data, async (tx, { turn, interaction }) => {
      const answer = fittingAnswer(interaction, data);
      const identity = identityAfterAnswer(ctx, turn, interaction);
      const claim = await this.leases.claimed(tx, { ...turn, identity }, 'answered');
      const answered = { ...interaction, ...answer, status: 'ANSWERED' as const };
      return { outcome: 'resumed', interaction: viewOfInteraction(answered), turn: claim.turn, claim };
    });
  }

  private judge(
    ctx: Ctx,
    data: AnswerInteraction,
    whenOpen: (tx: Tx, request: LoadedInteraction) => Promise<AnsweredInteraction>,
  ): Promise<AnsweredInteraction> {
    return this.database.transaction(ctx, async (tx) => {
      const turn = await this.turnToAnswer(tx, ctx, data);
      const interaction = await this.interactions.find(tx, turn.spaceId, turn.id, data.interactionId);
      if (!interaction) throw turn.userId === ctx.userId || readsEverything(ctx) ? absent() : noTurn();
      checkMayAnswer(ctx, interaction);
      if (interaction.status === 'ANSWERED') {
        return { outcome: 'repeated', interaction: viewOfInteraction(interaction), turn: recordOf(turn), claim: null };
      }
      if (interaction.status !== 'PENDING' || interaction.overdue) {
        throw new AppError(
          'INTERACTION_NOT_PENDING',
          'This interaction is no longer open: it was cancelled or has expired.',
        );
      }
      return whenOpen(tx, { turn, interaction });
    });
  }

  private async turnToAnswer(tx: Tx, ctx: Ctx, data: AnswerInteraction): Promise<TurnRow> {
    const spaceId = requireSpace(ctx);
    const { turnId, sessionId, agentId } = data;
    const own = await this.turns.findOwnLocked(tx, spaceId, requireUser(ctx), turnId);
    const isMeant = own?.sessionId === sessionId;
    // Of others' turns a MEMBER learns only where an approval waits for one: that is looked at next.
    const turn =
      isMeant || !roleAtLeast(ctx.role, 'MEMBER')
        ? own
        : await this.turns.findInSessionLocked(tx, spaceId, sessionId, turnId);
    if (!turn || turn.agentId !== agentId || turn.sessionId !== sessionId) {
      throw noTurn();
    }
    return turn;
  }

  private async accept(
    tx: Tx,
    ctx: Ctx,
    data: AnswerInteraction,
    { turn, interaction }: LoadedInteraction,
  ): Promise<AnsweredInteraction> {
    const { credentialId, requestId } = ctx;
    const answer = {
      ...fittingAnswer(interaction, data),
      by: requireUser(ctx),
      with: { credentialId, requestId },
    };
    const answered = await this.interactions.answer(tx, turn.spaceId, interaction.id, answer);
    const by = { owner: data.owner, identity: identityAfterAnswer(ctx, turn, interaction) };
    const resumed = await this.turns.resume(tx, turn.spaceId, turn.id, by, this.config.SESSION_TURN_LEASE_SECONDS);
    tx.afterCommit(() => {
      this.signals.tell(ctx, turn);
      if (answered?.purpose !== 'approval') return;
      this.counts.answered(answered);
      this.records.answered(answered);
    });
    if (!answered || !resumed) throw new AppError('INTERACTION_NOT_PENDING', 'This interaction is no longer open.');
    const claim = await this.leases.claimed(tx, resumed, 'answered');
    return { outcome: 'resumed', interaction: viewOfInteraction(answered), turn: claim.turn, claim };
  }
}
