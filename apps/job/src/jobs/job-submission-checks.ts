import { Injectable } from '@nestjs/common';
import { AgentCalls, type CallableAgent, type Ctx, SessionCalls, type SubmitJob, lending } from '@switchyard/contracts';
import { AppError, invalid, isId, isTransient } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Egress, findOfferedModel } from '@switchyard/service';

/** The model's name is looked up beside the rest: a relay that is slow does not keep the job waiting. */
const MODEL_MS = 2_000;

/** Validates a job when it is submitted rather than when it runs. */
@Injectable()
export class JobSubmissionChecks {
  constructor(
    private readonly bus: Bus,
    private readonly egress: Egress,
  ) {}

  /** Returns its agent. */
  async check(ctx: Ctx, { agentId, input, callbackUrl }: SubmitJob): Promise<CallableAgent> {
    if (input.contents && input.inputs) throw invalid('input', 'takes either contents or inputs');
    const sessionId = this.sessionOf(input);
    if (callbackUrl) this.egress.policy.checkUrl(callbackUrl, 'callbackUrl');
    const [agent] = await Promise.all([
      this.checkAgent(ctx, agentId, input),
      sessionId === undefined
        ? undefined
        : this.bus.call(SessionCalls.get, lending(ctx, SessionCalls.get), { id: sessionId }),
    ]);
    return agent;
  }

  /** Contents are a chat's, which has defaults for all; inputs are what an execute would refuse. */
  private async checkAgent(
    ctx: Ctx,
    agentId: string,
    { contents, inputs = {} }: SubmitJob['input'],
  ): Promise<CallableAgent> {
    const input = contents ? { agentId } : { agentId, inputs };
    const agent = await this.bus.call(AgentCalls.checkCallable, ctx, input).catch((error: unknown) => {
      const [detail] = error instanceof AppError && error.code === 'VALIDATION_ERROR' ? (error.details ?? []) : [];
      throw detail ? invalid(`input.${detail.path}`, detail.message) : error;
    });
    await this.checkModel(ctx, agent);
    return agent;
  }

  /** As a chat would refuse it. While the relay is away, jobs are taken: they wait for it. */
  private async checkModel(ctx: Ctx, agent: CallableAgent): Promise<void> {
    try {
      await findOfferedModel(this.bus, ctx, agent, { timeoutMs: MODEL_MS });
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
  }

  private sessionOf(input: SubmitJob['input']): string | undefined {
    const within = input.inputs?.['session_id'];
    if (within === undefined) return input.session_id;
    if (!isId(within)) throw invalid('input.inputs.session_id', 'must be a UUID');
    if (input.session_id !== undefined && input.session_id !== within)
      throw invalid('input.session_id', 'differs from inputs.session_id');
    return within;
  }
}
