import { failpoint } from '@switchyard/kernel';
import { productFrame } from '@switchyard/contracts';
import { isUndecided } from '../../../domain/approval-form';
import { nextQuestion } from '../../../domain/turn-reducer';
import type { OpenCall, ToolOutcome } from '../../../domain/turn-state';
import type { ToolRun } from '../../../toolkit/tool';
import type { TurnDeps } from '../turn-deps';
import type { TurnExecution } from '../turn-execution';

/** Runs what the model has called, side by side. */
export class ToolStep {
  private readonly running = new Set<string>();

  constructor(
    private readonly turn: TurnExecution,
    private readonly services: TurnDeps,
    /** Calls of local tools that the host has been told of already, before a takeover. */
    private readonly announced: ReadonlySet<string>,
    /** A call has ended; with the error, where its outcome could not be taken. */
    private readonly onDone: (error?: unknown) => void,
  ) {}

  get isBusy(): boolean {
    return this.running.size > 0;
  }

  /** Only tools that the host application runs are under way: this process has nothing to do. */
  get isOnlyWaiting(): boolean {
    return this.turn.state.calls.every(({ id, source }) => source === 'local' || !this.running.has(id));
  }

  run(callIds: readonly string[]): void {
    const { turn } = this;
    this.settleWhatMayNotRun(callIds);
    turn.apply({ type: 'tools-started', at: Date.now() });
    for (const call of turn.state.calls) {
      if (call.state === 'done' || call.name === 'ask_user' || !callIds.includes(call.id) || this.running.has(call.id))
        continue;
      if (isUndecided(call)) continue;
      this.begin(call);
    }
    // With nothing to wait for, the next step is due at once.
    if (this.isBusy || turn.effects.some(({ type }) => type.startsWith('ask') || type === 'call-model')) return;
    turn.effects.push(...(nextQuestion(turn.state) ?? []));
  }

  private settleWhatMayNotRun(callIds: readonly string[]): void {
    const { spec, state } = this.turn;
    for (const call of state.calls.filter((open) => callIds.includes(open.id) && open.state !== 'done')) {
      const settled = this.services.rules.beforeRun(spec.facts, call);
      if (settled) this.settle(call.id, settled);
    }
  }

  private begin(call: OpenCall): void {
    this.running.add(call.id);
    this.finish(call).then(
      () => {
        this.onDone();
      },
      (error: unknown) => {
        this.running.delete(call.id);
        this.onDone(error ?? new Error('a tool failed without a reason'));
      },
    );
  }

  private async finish(call: OpenCall): Promise<void> {
    const { turn } = this;
    const outcome = await turn.spec.tools.run(call, this.toolRun(call));
    await failpoint('agent.tool-done');
    // In one go: a turn that is woken in between must not find nothing under way and nothing to do.
    this.running.delete(call.id);
    if (!turn.isStopped()) this.settle(call.id, outcome);
  }

  private settle(callId: string, outcome: ToolOutcome): void {
    this.turn.apply({ type: 'tool-settled', callId, outcome, at: Date.now() });
  }

  private toolRun({ id: callId, name, arguments: args, approval }: OpenCall): ToolRun {
    const { ctx, key, epoch, facts } = this.turn.spec;
    const lineage = { root: ctx.lineage?.root ?? ctx.correlationId ?? key, parent: `tool_call:${key}/${callId}` };
    return {
      ctx: { ...ctx, lineage },
      callId,
      agentId: facts.agentId,
      turnKey: key,
      turnId: facts.turnId,
      epoch,
      sessionId: facts.sessionId,
      signal: this.turn.signal,
      ...(approval?.definition === undefined ? {} : { approvedDefinition: approval.definition }),
      announceLocal: (expiresAt) => {
        if (this.announced.has(callId)) return;
        const call = { call_id: callId, name, arguments: args, expires_at: expiresAt };
        this.turn.feed.emit([productFrame('localToolCall', call)]);
      },
    };
  }
}
