import type { Bus } from '@switchyard/messaging';
import type { Class, Ctx, CallContract, StreamContract } from '@switchyard/contracts';

/** Functions available to a running tool. */
export interface ToolRun {
  bus: Bus;
  ctx: Ctx;
  /** Reports progress to the client; ignored without a progress token. */
  progress(message: string): void;
  signal: AbortSignal;
}

export interface ToolHints {
  readOnly?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
}

/** One tool of the MCP server: its shapes are contract classes, so it cannot say another thing than the API. */
export interface Tool<Input extends object = object, Output extends object = object> {
  name: string;
  title: string;
  description: string;
  /** The operation that it is for: its contract says who may use it. */
  calls: CallContract | StreamContract;
  /** Its answer is a turn's, and the turn may wait for its user: the client is asked then, where it can be. */
  asks?: boolean;
  hints: ToolHints;
  input: Class<Input>;
  output: Class<Output>;
  run(input: Input, run: ToolRun): Promise<Output>;
}

export const defineTool = <Input extends object, Output extends object>(tool: Tool<Input, Output>): Tool => tool;
