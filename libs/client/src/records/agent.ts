import type { Schemas } from '../api/schemas';

export type Agent = Schemas['AgentView'];
/** An agent in a list. Large fields are in the single record only. */
export type AgentSummary = Schemas['AgentSummary'];
export type NewAgent = Schemas['CreateAgent'];
/** The given fields are replaced, the others stay. */
export type AgentChanges = Schemas['AgentChanges'];
export type AgentVersion = Schemas['AgentVersionView'];
export type AgentVersionSummary = Schemas['AgentVersionSummary'];
/** A call of a tool, to be judged by the rules of an agent, or by those that are given in their place. */
export type ApprovalCheck = Schemas['CheckApprovalBody'];
export type ApprovalVerdict = Schemas['ApprovalVerdict'];
/** How long the turns of an agent took: milliseconds, null where none has ended. */
export type AgentLatency = Schemas['AgentLatency'];
/** A memory of an agent about one user. */
export type Memory = Schemas['MemoryView'];
export type McpTool = Schemas['McpToolView'];

/** The tools of an agent's MCP servers, and the servers that cannot be asked now. */
export interface McpTools {
  data: McpTool[];
  unavailable: { server: string; tool?: string; reason: string }[];
}
