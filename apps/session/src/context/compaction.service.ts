import { Injectable } from '@nestjs/common';
import {
  type Attribution,
  type CompactedForTurn,
  type CompactForTurn,
  type CompactionResult,
  type ContextOf,
  type Ctx,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { type SessionRow, SessionsRepository } from '../db/sessions.repository';
import { TurnsRepository } from '../db/turns.repository';
import { isOverfull, planCompaction } from '../domain/compaction-plan';
import { tokensOf } from '../domain/context-messages';
import { checkAgentOf, checkMayWrite } from '../domain/session-access';
import { turnAlreadyActive } from '../domain/turn-opening';
import { AccessibleSessions } from '../access/accessible-sessions';
import { checkHasCheckpoint, ContextService, type ModelOfSession } from './context.service';
import { statusOf } from './context-window-status';
import { modelContext, ModelContextLoader, type StoredContext } from './load-model-context';
import { ConversationSummariser } from './conversation-summariser';

type Attempt = {
  stored: StoredContext;
  model: ModelOfSession;
  attribution: Attribution;
  guard: (tx: Tx, session: SessionRow) => Promise<void>;
};

/** Replaces the older part of a model's context by a summary. The transcript stays as it is. */
@Injectable()
export class CompactionService {
  constructor(
    private readonly database: Database,
    private readonly finder: AccessibleSessions,
    private readonly sessions: SessionsRepository,
    private readonly turns: TurnsRepository,
    private readonly context: ContextService,
    private readonly contexts: ModelContextLoader,
    private readonly conversationSummariser: ConversationSummariser,
  ) {}

  /** On request: only between turns. */
  async compact(ctx: Ctx, data: ContextOf): Promise<CompactionResult> {
    const model = await this.context.modelOf(ctx, data.agentId);
    const guard = (tx: Tx, session: SessionRow): Promise<void> => this.checkIdle(tx, ctx, session);
    const loaded = await this.database.transaction(ctx, async (tx) => {
      const session = await this.finder.get(tx, ctx, data.sessionId);
      checkMayWrite(ctx, session.userId, 'session');
      checkAgentOf(session, data.agentId);
      await guard(tx, session);
      checkHasCheckpoint(session);
      return this.contexts.load(tx, requireSpace(ctx), session.id);
    });
    const stored = await this.contexts.exact(ctx, loaded, model.id);
    const attribution: Attribution = { source: 'compaction', agentId: data.agentId, sessionId: data.sessionId };
    const changed = await this.attempt(ctx, { stored, model, attribution, guard });
    const tokensBefore = modelContext(stored).tokens;
    const tokensAfter = modelContext(changed ?? stored).tokens;
    return {
      ...statusOf((changed ?? stored).session, tokensAfter, model),
      compacted: changed !== null,
      tokensBefore,
      tokensAfter,
    };
  }

  /**
   * By the runtime, between two model steps of the turn that it holds, or before the answer that a turn waits for
   * counts.
   */
  async compactForTurn(ctx: Ctx, data: CompactForTurn): Promise<CompactedForTurn> {
    const { turn, loaded } = await this.database.transaction(ctx, async (tx) => {
      const spaceId = requireSpace(ctx);
      const found = await (data.isWaiting
        ? this.turns.findWaiting(tx, spaceId, data.key)
        : this.turns.findLeased(tx, spaceId, data));
      if (!found?.sessionId) throw new AppError('CONFLICT', 'This turn is no longer held, or has no session.');
      return { turn: found, loaded: await this.contexts.load(tx, spaceId, found.sessionId) };
    });
    const model = { id: turn.model, contextWindow: turn.contextWindow };
    const stored = await this.contexts.exact(ctx, loaded, model.id);
    const used = modelContext(stored).tokens + (data.extraTokens ?? 0);
    if (!data.force && !isOverfull(used, model.contextWindow)) {
      return { compacted: false, status: statusOf(stored.session, modelContext(stored).tokens, model), context: null };
    }
    const attribution: Attribution = {
      source: 'compaction',
      agentId: turn.agentId,
      sessionId: stored.session.id,
      turnId: turn.turnId,
    };
    const changed = await this.attempt(ctx, { stored, model, attribution, guard: () => Promise.resolve() });
    const context = changed && modelContext(changed);
    return {
      compacted: changed !== null,
      status: statusOf((changed ?? stored).session, (context ?? modelContext(stored)).tokens, model),
      context,
    };
  }

  /** Null when there is nothing to make room of. Nothing is written before the summary is complete. */
  private async attempt(ctx: Ctx, { stored, model, attribution, guard }: Attempt): Promise<StoredContext | null> {
    const { session, entries } = stored;
    const plan = planCompaction(entries, { summaryTokens: session.summaryTokens, window: model.contextWindow });
    if (!plan) return null;
    const { id, contextWindow } = model;
    const summary = await this.conversationSummariser.summarise(ctx, plan, {
      model: id,
      contextWindow,
      previous: session.summary,
      attribution,
    });
    if (summary.tokens + tokensOf(plan.kept) >= modelContext(stored).tokens) return null;
    return this.database.transaction(ctx, async (tx) => {
      const locked = await this.sessions.findLocked(tx, requireSpace(ctx), session.id);
      if (!locked) throw new AppError('NOT_FOUND', 'Session not found.');
      await guard(tx, locked);
      const { text, tokens } = summary;
      const stored = { text, seq: plan.summarySeq, tokens, seenCompactions: session.compactionCount };
      // Another request has compacted meanwhile: its summary is kept and returned.
      await this.sessions.storeSummary(tx, requireSpace(ctx), session.id, stored);
      return this.contexts.load(tx, requireSpace(ctx), session.id);
    });
  }

  private async checkIdle(tx: Tx, ctx: Ctx, session: SessionRow): Promise<void> {
    const active = await this.turns.findActive(tx, requireSpace(ctx), session.id);
    if (!active) return;
    if (active.status === 'RUNNING') throw turnAlreadyActive(active.turnId);
    throw new AppError(
      'INTERACTION_PENDING',
      `Turn ${active.turnId} waits for an answer of its user. Answer or cancel it first.`,
    );
  }
}
