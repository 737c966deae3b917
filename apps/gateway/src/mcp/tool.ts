import type { Bus } from '@switchyard/messaging';
import type { Class, Ctx, Role, Scope } from '@switchyard/contracts';

/** What a tool may do while it runs. */
export interface ToolRun {
  bus: Bus;
  ctx: Ctx;
  /** Tells the client how far it is; without a progress token nobody listens. */
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
  scope: Scope;
  role?: Role;
  /** Only the key of an application may use it. */
  systemKey?: boolean;
  /** Its answer is a turn's, and the turn may wait for its user: the client is asked then, where it can be. */
  asks?: boolean;
  /** It makes something: `idempotencyKey` of its arguments counts as on the route that does the same. */
  keyed?: boolean;
  hints: ToolHints;
  input: Class<Input>;
  output: Class<Output>;
  run(input: Input, run: ToolRun): Promise<Output>;
}

export const defineTool = <Input extends object, Output extends object>(tool: Tool<Input, Output>): Tool => tool;
