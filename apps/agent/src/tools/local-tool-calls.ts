import { Injectable } from '@nestjs/common';
import { type Ctx, SessionCalls, type ToolResult } from '@switchyard/contracts';
import { sleep } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { AgentConfig } from '../agent.config';
import { ToolError, type ToolRun } from '../toolkit/tool';

const LOOK_EVERY_MS = 3000;

/** Tools that the host application runs: the turn says what it wants and waits for the answer. */
@Injectable()
export class LocalToolCalls {
  private readonly waiting = new Map<string, () => void>();

  constructor(
    private readonly bus: Bus,
    private readonly config: AgentConfig,
  ) {}

  /** An answer has arrived, by any route. */
  answered(turnKey: string, callId: string): void {
    this.waiting.get(`${turnKey} ${callId}`)?.();
  }

  async run(name: string, run: ToolRun): Promise<unknown> {
    const expiresAt = new Date(Date.now() + this.config.LOCAL_TOOL_TIMEOUT_MS).toISOString();
    const lease = { key: run.turnKey, epoch: run.epoch };
    const result = await this.bus.call(SessionCalls.awaitToolResult, run.ctx, {
      ...lease,
      callId: run.callId,
      name,
      expiresAt,
    });
    if (result.status === 'ANSWERED') return resultOf(result);
    run.announceLocal(result.expiresAt);
    let call: ToolResult = result;
    const remainingMs = (): number => Math.max(0, Date.parse(call.expiresAt) - Date.now());
    const isStopped = (): boolean => run.signal.aborted;
    let isLate = false;
    while (!isStopped()) {
      await this.wait(run, isLate ? LOOK_EVERY_MS : Math.min(LOOK_EVERY_MS, remainingMs()));
      if (isStopped()) break;
      isLate = remainingMs() === 0;
      // The store decides when the time of the call is over: it stands still while the Space is suspended.
      call = (await this.pollResult(run.ctx, lease, run.callId, isLate)) ?? call;
      if (call.status === 'ANSWERED') return resultOf(call);
      if (call.status === 'EXPIRED') break;
    }
    throw new ToolError('LOCAL_TOOL_TIMEOUT', 'The host application did not answer in time.');
  }

  /** Between two looks the store may be away; the answer waits there. */
  private async pollResult(
    ctx: Ctx,
    lease: { key: string; epoch: number },
    callId: string,
    over: boolean,
  ): Promise<ToolResult | undefined> {
    try {
      const { items } = await this.bus.call(SessionCalls.toolResults, ctx, {
        ...lease,
        callId,
        ...(over ? { expire: callId } : {}),
      });
      return items.find((item) => item.callId === callId);
    } catch {
      return undefined;
    }
  }

  private async wait(run: ToolRun, ms: number): Promise<void> {
    const name = `${run.turnKey} ${run.callId}`;
    const stop = new AbortController();
    this.waiting.set(name, () => {
      stop.abort();
    });
    await sleep(ms, AbortSignal.any([run.signal, stop.signal]));
    this.waiting.delete(name);
  }
}

function resultOf(result: ToolResult): unknown {
  if (result.error !== null) throw new ToolError('LOCAL_TOOL_FAILED', result.error);
  return result.result ?? null;
}
