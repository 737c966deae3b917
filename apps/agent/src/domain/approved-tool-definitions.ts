/**
 * Reason why a tool of an MCP server is not offered: its current definition is not approved by a person who may change
 * the agent.
 */
export type UnapprovedReason = 'changed' | 'new';

/** Approved definitions of a server: a hash for each tool. */
export type ApprovedTools = Readonly<Record<string, string>>;

/**
 * A server may say today that a tool adds numbers and tomorrow that it wants to see mail: only what was approved
 * counts.
 */
export function withheld(approved: ApprovedTools, tool: { name: string; hash: string }): UnapprovedReason | null {
  if (!Object.hasOwn(approved, tool.name)) return 'new';
  return approved[tool.name] === tool.hash ? null : 'changed';
}
