import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type Ctx,
  lending,
  type ModelSettings,
  SessionCalls,
  type StartExecute,
  type TurnResult,
} from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { JobRow } from '../db/jobs.repository';
import { JobIdentity } from './job-identity';

/** Wait this long for a short turn. For longer ones the lease is released until the turn's end is signalled. */
const WAIT_MS = 500;
const ANSWER_MS = 20_000;
const STOP_MS = 5_000;

/** The settings of a job are spelled as in the call that it stands for: a chat's or an execute's. */
function settingsOf(given: Record<string, unknown> | undefined): {
  settings?: ModelSettings;
  chatMode?: 'ask' | 'agent';
  disableWebSearch?: boolean;
} {
  if (!given) return {};
  const settings = given as ModelSettings & {
    maxTokens?: number;
    chat_mode?: 'ask' | 'agent';
    disable_web_search?: boolean;
  };
  const {
    temperature,
    top_p,
    frequency_penalty,
    presence_penalty,
    max_tokens = settings.maxTokens,
    chat_mode: chatMode,
    disable_web_search: disableWebSearch,
  } = settings;
  return {
    settings: { temperature, top_p, frequency_penalty, presence_penalty, max_tokens },
    chatMode,
    disableWebSearch,
  };
}

export function requestOf(job: JobRow, turnId: string): StartExecute {
  const { contents, inputs = {}, session_id: sessionId, settings } = job.input;
  return {
    agentId: job.agentId,
    turnId,
    inputs: sessionId === undefined ? inputs : { ...inputs, session_id: sessionId },
    ...(contents ? { contents } : {}),
    ...settingsOf(settings),
    source: 'job',
    waitMs: WAIT_MS,
  };
}

/** The agent's side of a job. */
@Injectable()
export class TurnClient {
  constructor(
    private readonly bus: Bus,
    private readonly identity: JobIdentity,
  ) {}

  /** Starts the turn or reads its state; a repeated call never runs it twice. */
  ask(ctx: Ctx, job: JobRow, turnId: string): Promise<TurnResult> {
    return this.bus.call(AgentCalls.execute, lending(ctx, AgentCalls.execute), requestOf(job, turnId), {
      timeoutMs: ANSWER_MS,
      workId: turnId,
    });
  }

  /** Reads its state without starting it. */
  read(ctx: Ctx, { agentId }: JobRow, turnId: string): Promise<TurnResult> {
    return this.bus.call(AgentCalls.turnResult, lending(ctx, AgentCalls.turnResult), { agentId, turnId });
  }

  /** Whether the job's session was deleted: there was one when the job was submitted. */
  async isSessionMissing(job: JobRow): Promise<boolean> {
    const sessionId = job.input.session_id ?? job.input.inputs?.['session_id'];
    if (typeof sessionId !== 'string') return false;
    try {
      const ctx = await this.identity.of(job);
      await this.bus.call(SessionCalls.get, lending(ctx, SessionCalls.get), { id: sessionId });
      return false;
    } catch (error) {
      return error instanceof AppError && error.code === 'NOT_FOUND';
    }
  }

  /** Whether the stop took effect. It fails until the turn has started, and while the agent service is unavailable. */
  async stop(job: JobRow): Promise<boolean> {
    const { turnId } = job;
    if (turnId === null) return true;
    try {
      await this.bus.call(AgentCalls.cancelTurn, this.identity.toStop(job), { turnId }, { timeoutMs: STOP_MS });
      return true;
    } catch {
      return false;
    }
  }
}
