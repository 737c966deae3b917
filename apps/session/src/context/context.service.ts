import { Injectable } from '@nestjs/common';
import { AgentCalls, type ContextOf, type ContextStatus, type Ctx, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { findOfferedModel } from '@switchyard/service';
import type { SessionRow } from '../db/sessions.repository';
import { checkAgentOf } from '../domain/session-access';
import { AccessibleSessions } from '../access/accessible-sessions';
import { statusOf } from './context-window-status';
import { modelContext, ModelContextLoader, type StoredContext } from './load-model-context';

export interface ModelOfSession {
  id: string;
  contextWindow: number;
}

export function checkHasCheckpoint(session: SessionRow): void {
  if (session.completedTurns > 0) return;
  throw new AppError('NOT_FOUND', 'This session has no checkpoint yet: none of its turns has completed.');
}

@Injectable()
export class ContextService {
  constructor(
    private readonly database: Database,
    private readonly finder: AccessibleSessions,
    private readonly bus: Bus,
    private readonly contexts: ModelContextLoader,
  ) {}

  /** The model that the agent of these calls uses now. Refuses callers who may not call the agent. */
  async modelOf(ctx: Ctx, agentId: string, how: { forReading?: boolean } = {}): Promise<ModelOfSession> {
    const agent = await this.bus.call(AgentCalls.checkCallable, ctx, { agentId, ...how });
    const { id, contextWindow } = await findOfferedModel(this.bus, ctx, agent);
    return { id, contextWindow };
  }

  async status(ctx: Ctx, data: ContextOf): Promise<ContextStatus> {
    const model = await this.modelOf(ctx, data.agentId, { forReading: true });
    const stored = await this.database.transaction(ctx, async (tx): Promise<StoredContext> => {
      const session = await this.finder.getReadable(tx, ctx, data.sessionId);
      checkAgentOf(session, data.agentId);
      return this.contexts.load(tx, requireSpace(ctx), session.id);
    });
    if (stored.session.completedTurns === 0) return statusOf(stored.session, 0, model);
    const exact = await this.contexts.exact(ctx, stored, model.id);
    return statusOf(stored.session, modelContext(exact).tokens, model);
  }
}
