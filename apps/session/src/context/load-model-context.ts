import { Injectable } from '@nestjs/common';
import type { Ctx, ModelContext } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { type CountedEntry, MessagesRepository } from '../db/messages.repository';
import { type SessionRow, SessionsRepository } from '../db/sessions.repository';
import { tokensOf } from '../domain/context-messages';
import { contextOf } from '../domain/model-context';
import { TokenCounter } from './token-counter';

type Summarised = Pick<SessionRow, 'id' | 'summary' | 'summaryTokens'>;

export interface StoredContext<Session extends Summarised = SessionRow> {
  session: Session;
  entries: CountedEntry[];
}

/** From this share of the window on, guesses are replaced by counts. */
const COUNT_FROM = 0.4;

export const modelContext = ({ session, entries }: StoredContext<Summarised>): ModelContext =>
  contextOf(entries, { text: session.summary, tokens: session.summaryTokens });

/** Of all its messages, also those that the model is not shown because their other half is missing. */
export const storedTokens = ({ session, entries }: StoredContext<Summarised>): number =>
  session.summaryTokens + tokensOf(entries);

@Injectable()
export class ModelContextLoader {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly sessions: SessionsRepository,
    private readonly counter: TokenCounter,
  ) {}

  async load(tx: Tx, spaceId: string, sessionId: string): Promise<StoredContext> {
    const session = await this.sessions.find(tx, spaceId, sessionId);
    if (!session) throw new AppError('NOT_FOUND', 'Session not found.');
    return { session, entries: await this.messages.contextEntries(tx, spaceId, sessionId, session.summarySeq) };
  }

  async exact<Session extends Summarised>(
    ctx: Ctx,
    stored: StoredContext<Session>,
    model: string,
  ): Promise<StoredContext<Session>> {
    return {
      ...stored,
      entries: await this.counter.count(ctx, { sessionId: stored.session.id, model }, stored.entries),
    };
  }

  /** The way to the tokenizer is only taken where a guess could be wrong about the need for a compaction. */
  async exactWhereItMatters(
    ctx: Ctx,
    stored: StoredContext<Summarised>,
    of: { model: string; contextWindow: number },
  ): Promise<ModelContext> {
    return modelContext(await this.countedWhereItMatters(ctx, stored, of));
  }

  async countedWhereItMatters<Session extends Summarised>(
    ctx: Ctx,
    stored: StoredContext<Session>,
    of: { model: string; contextWindow: number },
  ): Promise<StoredContext<Session>> {
    return modelContext(stored).tokens < of.contextWindow * COUNT_FROM ? stored : this.exact(ctx, stored, of.model);
  }
}
