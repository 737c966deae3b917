import type { Ctx, ModelTool } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import type { ToolSource } from '../domain/turn-state';

/** What a tool knows of the turn that calls it. */
export interface ToolRun {
  ctx: Ctx;
  callId: string;
  agentId: string;
  turnKey: string;
  turnId: string;
  epoch: number;
  sessionId: string | null;
  signal: AbortSignal;
  /** Only a tool of the host application needs it: it is run where the stream is read. */
  announceLocal: (expiresAt: string) => void;
}

export interface Tool {
  definition: ModelTool;
  source: ToolSource;
  /** Changes something: not run when the user only asks, and never twice. */
  action: boolean;
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
