import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  isActiveTurn,
  lending,
  type MessageView,
  SessionCalls,
  type SessionView,
  type TurnOfSession,
} from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { messageOf } from './langgraph-messages';
import { ThreadMessages } from './thread-messages';

const STATUSES: Partial<Record<TurnOfSession['status'], string>> = {
  RUNNING: 'busy',
  WAITING_INPUT: 'interrupted',
  FAILED: 'error',
};

const NODE = 'agent';
/** Of the messages in all states of an answer. */
const HISTORY_CHARACTERS = 16 * 1024 * 1024;

const valuesOf = (messages: readonly MessageView[]): JsonObject => ({
  messages: messages.flatMap((message) => messageOf(message) ?? []),
});

/**
 * Threads and their states, as sessions and their transcripts have them. A state is a thread after one of its turns.
 */
@Injectable()
export class ThreadStates {
  constructor(
    private readonly bus: Bus,
    private readonly threadMessages: ThreadMessages,
  ) {}

  session(ctx: Ctx, sessionId: string): Promise<SessionView> {
    return this.bus.call(SessionCalls.get, lending(ctx, SessionCalls.get), { id: sessionId });
  }

  /** State of a new session without messages. */
  newThread({ id, agentId, metadata, createdAt, updatedAt }: SessionView): JsonObject {
    return {
      thread_id: id,
      created_at: createdAt,
      updated_at: updatedAt,
      state_updated_at: updatedAt,
      metadata: { ...metadata, ...(agentId === null ? {} : { graph_id: agentId }) },
      status: 'idle',
      config: {},
      values: null,
      interrupts: {},
    };
  }

  async thread(ctx: Ctx, sessionId: string): Promise<JsonObject> {
    const session = await this.session(ctx, sessionId);
    const [newest] = await this.turns(ctx, sessionId, 1);
    const messages = await this.threadMessages.newest(ctx, sessionId);
    const interrupts = newest ? await this.interruptsOf(ctx, newest) : [];
    return {
      ...this.newThread(session),
      status: (newest && STATUSES[newest.status]) ?? 'idle',
      ...(newest?.error ? { error: `${newest.error.code}: ${newest.error.message}` } : {}),
      values: messages.length === 0 ? null : valuesOf(messages),
      interrupts: newest && interrupts.length > 0 ? { [newest.id]: interrupts } : {},
    };
  }

  async state(ctx: Ctx, sessionId: string): Promise<JsonObject> {
    const session = await this.session(ctx, sessionId);
    const [newest, parent] = await this.turns(ctx, sessionId, 2);
    const messages = await this.threadMessages.newest(ctx, sessionId);
    return this.stateOf(ctx, session, { turn: newest, parent, messages });
  }

  /** Newest first; fewer than requested if they exceed the size of one reply. */
  async history(ctx: Ctx, sessionId: string, limit: number): Promise<JsonObject[]> {
    const session = await this.session(ctx, sessionId);
    const turns = await this.turns(ctx, sessionId, Math.min(100, limit + 1));
    const all = await this.threadMessages.newest(ctx, sessionId);
    const sizes = all.map((message) => JSON.stringify(message).length);
    const states: JsonObject[] = [];
    let size = 0;
    for (const [at, turn] of turns.slice(0, limit).entries()) {
      const last = all.findLastIndex(({ turnId }) => turnId === turn.id);
      const messages = at === 0 ? all : all.slice(0, last + 1);
      // Each state has all messages before it once more.
      size += sizes.slice(0, messages.length).reduce((sum, each) => sum + each, 0);
      if (at > 0 && size > HISTORY_CHARACTERS) break;
      states.push(await this.stateOf(ctx, session, { turn, parent: turns[at + 1], messages }));
    }
    return states;
  }

  private async stateOf(ctx: Ctx, session: SessionView, { turn, parent, messages }: At): Promise<JsonObject> {
    const isActive = turn !== undefined && isActiveTurn(turn.status);
    const interrupts = turn ? await this.interruptsOf(ctx, turn) : [];
    const failure = turn?.error ? `${turn.error.code}: ${turn.error.message}` : null;
    const task = { id: turn?.id, name: NODE, error: failure, checkpoint: null, state: null, result: null, interrupts };
    const at = (id: string | undefined): JsonObject => ({
      thread_id: session.id,
      checkpoint_ns: '',
      checkpoint_id: id ?? session.id,
    });
    return {
      values: valuesOf(messages),
      next: isActive ? [NODE] : [],
      tasks: isActive || failure !== null ? [task] : [],
      checkpoint: at(turn?.id),
      parent_checkpoint: parent ? at(parent.id) : null,
      metadata: turn ? { run_id: turn.id, assistant_id: turn.agentId } : {},
      // Output of an active turn follows its state.
      created_at: (isActive ? turn.startedAt : turn?.finishedAt) ?? session.createdAt,
      interrupts,
    };
  }

  private async turns(ctx: Ctx, sessionId: string, limit: number): Promise<TurnOfSession[]> {
    const lent = lending(ctx, SessionCalls.listTurns);
    return (await this.bus.call(SessionCalls.listTurns, lent, { sessionId, limit })).items;
  }

  private async interruptsOf(ctx: Ctx, turn: TurnOfSession): Promise<JsonObject[]> {
    if (turn.status !== 'WAITING_INPUT') return [];
    const lent = lending(ctx, SessionCalls.getTurn);
    const of = { turnId: turn.id, ...(turn.sessionId === null ? {} : { sessionId: turn.sessionId }) };
    const { interaction } = await this.bus.call(SessionCalls.getTurn, lent, of);
    return interaction ? [{ id: interaction.id, value: interaction }] : [];
  }
}

interface At {
  turn: TurnOfSession | undefined;
  parent: TurnOfSession | undefined;
  messages: readonly MessageView[];
}
