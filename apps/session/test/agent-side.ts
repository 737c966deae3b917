import { NestFactory } from '@nestjs/core';
import {
  type AnsweredInteraction,
  type ClaimedTurn,
  type ClosedTurn,
  type Ctx,
  makeCtx,
  type NewMessage,
  type OpenedTurn,
  type OpenTurn,
  serviceCtx,
  SessionCalls,
  type TurnRecord,
} from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { Bus, BUS_OPTIONS, BusServer, MessagingModule, NatsConnectionManager } from '@switchyard/messaging';
import type { Client, TestPlatform, TestSpace } from '@switchyard/testing';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

/** Speaks to the session service in the agent service's name: what a runtime does, without one. */
export class AgentSide {
  private readonly spaceIds = new Set<string>();

  private constructor(
    private readonly platform: TestPlatform,
    private readonly bus: Bus,
    private readonly stop: () => Promise<void>,
    /** Its instance: a holder of turns must answer under that name, or loses them. */
    readonly owner: string,
  ) {}

  static async connect(platform: TestPlatform): Promise<AgentSide> {
    const { secrets, natsUrl, internalUrls } = platform.state;
    const own = secrets.services['agent'];
    if (!own) throw new Error('the platform has no agent service');
    const publicKeys = Object.fromEntries(
      Object.entries(secrets.services).map(([name, keys]) => [name, keys.publicKey]),
    );
    const options = {
      service: 'agent' as const,
      instance: newId().replaceAll('-', ''),
      natsUrl,
      nkeySeed: own.nats.seed,
      privateKey: own.privateKey,
      publicKeys,
      internalUrls,
      log: silent,
    };
    const app = await NestFactory.createApplicationContext(
      MessagingModule.forService([{ provide: BUS_OPTIONS, useValue: options }]),
      { logger: false },
    );
    const link = app.get(NatsConnectionManager);
    await link.ready();
    // Answers for the parts of what is too large for one message.
    app.get(BusServer).open();
    const bus = app.get(Bus);
    bus.serve();
    const stop = async (): Promise<void> => {
      bus.stop();
      await link.close();
      await app.close();
    };
    return new AgentSide(platform, bus, stop, options.instance);
  }

  close(): Promise<void> {
    return this.stop();
  }

  /** At the end of a file: its open turns name agents that do not exist, and no process could take them over. */
  async removeOpenTurns(): Promise<void> {
    await this.platform.database.query(
      `delete from session.turns where status = 'RUNNING' and space_id = any($1::uuid[])`,
      [[...this.spaceIds]],
    );
  }

  /** The context of somebody's request. */
  ctxOf(space: TestSpace, client: Client): Ctx {
    this.spaceIds.add(space.id);
    return makeCtx({
      spaceId: space.id,
      userId: client.identity.userId ?? null,
      role: 'MEMBER',
      scopes: ['*'],
      credentialId: null,
      credentialType: 'jwt',
      applicationId: null,
    });
  }

  async open(ctx: Ctx, request: Partial<OpenTurn> & { agentId: string }): Promise<OpenedTurn & { turn: TurnRecord }> {
    const opened = await this.tryOpen(ctx, request);
    if (opened.turn === null) throw new Error(`no turn: ${opened.outcome}`);
    return { ...opened, turn: opened.turn };
  }

  /** As `open`, for a turn that may be over its limit. */
  tryOpen(ctx: Ctx, request: Partial<OpenTurn> & { agentId: string }): Promise<OpenedTurn> {
    return this.bus.call(SessionCalls.openTurn, ctx, {
      fingerprint: 'f',
      message: content('Hello'),
      input: {},
      model: 'sim-chat',
      contextWindow: 8192,
      owner: this.owner,
      ...request,
    });
  }

  closeTurn(
    ctx: Ctx,
    turn: Pick<TurnRecord, 'key' | 'epoch'>,
    messages: NewMessage[] = [answered('Hi')],
  ): Promise<ClosedTurn> {
    const { key, epoch } = turn;
    const end = {
      status: 'COMPLETED' as const,
      messages,
      finishReason: 'stop',
      usage: null,
      error: null,
      result: { answer: 'Hi' },
    };
    return this.bus.call(SessionCalls.closeTurn, ctx, { key, epoch, ...end });
  }

  pause(ctx: Ctx, { key, epoch }: Pick<TurnRecord, 'key' | 'epoch'>, interactionId = newId()) {
    const options = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ];
    const form = { kind: 'single_choice' as const, prompt: 'Which?', options };
    return this.bus.call(SessionCalls.pauseTurn, ctx, { key, epoch, state: { step: 1 }, interactionId, form });
  }

  answer(
    ctx: Ctx,
    turn: Pick<TurnRecord, 'id' | 'agentId' | 'sessionId'>,
    interactionId: string,
    optionId = 'a',
  ): Promise<AnsweredInteraction> {
    return this.bus.call(SessionCalls.answerInteraction, ctx, {
      agentId: turn.agentId,
      turnId: turn.id,
      sessionId: turn.sessionId ?? '',
      interactionId,
      selectedOptionIds: [optionId],
      otherText: null,
      owner: this.owner,
    });
  }

  saveCheckpoint(ctx: Ctx, { key, epoch }: Pick<TurnRecord, 'key' | 'epoch'>, state: Record<string, unknown>) {
    return this.bus.call(SessionCalls.saveCheckpoint, ctx, { key, epoch, state });
  }

  get(ctx: Ctx, turnId: string): Promise<TurnRecord> {
    return this.bus.call(SessionCalls.getTurn, ctx, { turnId });
  }

  cancel(ctx: Ctx, turnId: string) {
    return this.bus.call(SessionCalls.requestCancel, ctx, { turnId });
  }

  heartbeat(turns: Pick<TurnRecord, 'key' | 'epoch'>[], options: { hasRequests?: boolean; areWaiting?: boolean } = {}) {
    const leased = turns.map(({ key, epoch }) => ({ key, epoch }));
    return this.bus.call(SessionCalls.heartbeatTurns, serviceCtx('agent'), {
      owner: this.owner,
      turns: leased,
      ...options,
    });
  }

  announceStop(turns: Pick<TurnRecord, 'key' | 'epoch'>[]) {
    const leases = turns.map(({ key, epoch }) => ({ key, epoch }));
    const message = { owner: this.owner, turns: leases, isStopping: true };
    return this.bus.call(SessionCalls.heartbeatTurns, serviceCtx('agent'), message);
  }

  release(turns: Pick<TurnRecord, 'key' | 'epoch'>[]) {
    const leased = turns.map(({ key, epoch }) => ({ key, epoch }));
    return this.bus.call(SessionCalls.releaseTurns, serviceCtx('agent'), { turns: leased });
  }

  defer({ key, epoch }: Pick<TurnRecord, 'key' | 'epoch'>, reason: ClaimedTurn['reason']) {
    return this.bus.call(SessionCalls.deferTurn, serviceCtx('agent'), { key, epoch, reason });
  }

  async claim({ othersFirst = false } = {}): Promise<ClaimedTurn[]> {
    const claim = { owner: this.owner, limit: 4, othersFirst };
    return (await this.bus.call(SessionCalls.claimTurns, serviceCtx('agent'), claim)).items;
  }

  awaitTool(ctx: Ctx, { key, epoch }: TurnRecord, callId: string, waitMs = 60_000) {
    const expiresAt = new Date(Date.now() + waitMs).toISOString();
    return this.bus.call(SessionCalls.awaitToolResult, ctx, { key, epoch, callId, name: 'look', expiresAt });
  }

  submitTool(ctx: Ctx, turn: TurnRecord, callId: string, result: unknown) {
    const { agentId, id: turnId, sessionId } = turn;
    return this.bus.call(SessionCalls.submitToolResult, ctx, {
      agentId,
      turnId,
      sessionId: sessionId ?? '',
      callId,
      result,
    });
  }

  async openCalls(ctx: Ctx, { id: turnId }: TurnRecord): Promise<string[]> {
    const { openCalls = [] } = await this.bus.call(SessionCalls.getTurn, ctx, { turnId, withOpenCalls: true });
    return openCalls;
  }

  toolResults(ctx: Ctx, { key, epoch }: TurnRecord, expected: { callId?: string; expire?: string } = {}) {
    return this.bus.call(SessionCalls.toolResults, ctx, { key, epoch, ...expected });
  }
}

export const content = (text: string): NewMessage => ({ role: 'user', content: [{ type: 'text', text }] });
export const answered = (text: string): NewMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  finishReason: 'stop',
});
