import { type CallContract, type Ctx, lending, type ModelTool, type ToolSource } from '@switchyard/contracts';
import { fingerprint, type JsonObject } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';

/** Context of the turn that calls a tool. */
export interface ToolRun {
  ctx: Ctx;
  callId: string;
  agentId: string;
  turnKey: string;
  turnId: string;
  epoch: number;
  sessionId: string | null;
  signal: AbortSignal;
  /** Of a call that a person approved: the definition of its tool at that time, as `Tool.definitionHash`. */
  approvedDefinition?: string;
  /** Only a tool of the host application needs it: it is run where the stream is read. */
  announceLocal: (expiresAt: string) => void;
}

export interface Tool {
  definition: ModelTool;
  source: ToolSource;
  /** Changes something: not run when the user only asks, and never twice. */
  action: boolean;
  /** Whether a call takes effect once, even if it is started twice under its own name. */
  isOnce?: (args: JsonObject) => boolean;
  /** Identifies the definition of an external tool, which can change. */
  definitionHash?: string;
  /** Waits for people or their programs; has a time limit of its own. */
  patient?: boolean;
  run(args: JsonObject, run: ToolRun): Promise<unknown>;
}

/** A failure that the model is told, in words that help it on. */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The user who saved the agent had the scopes of its tools and delegated them: its callers need none. */
export const callAsTool = <Req extends object, Rep extends object>(
  bus: Bus,
  contract: CallContract<Req, Rep>,
  ctx: Ctx,
  data: Req,
): Promise<Rep> => bus.call(contract, lending(ctx, contract), data);

/** The call's own name as idempotency key: a turn that was interrupted and goes on cannot do it twice. */
export const onceCtx = (run: ToolRun, args: JsonObject): Ctx => ({
  ...run.ctx,
  idempotency: {
    key: `${run.turnKey}:${run.callId}`.slice(0, 255),
    route: 'agent-tool',
    fingerprint: fingerprint(args),
  },
});
