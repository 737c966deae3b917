import {
  AGENT_TYPES,
  type AccessScope,
  type AgentSummary,
  type AgentType,
  type AgentView,
  type ApprovalRule,
  type BuiltinTool,
  type KnowledgeSource,
  type LocalTool,
  type McpServerView,
  type ModelSettings,
  type OversizedFields,
  type PromptVariable,
  shownOversized,
} from '@switchyard/contracts';
import { type JsonObject, uncheckedFormats } from '@switchyard/kernel';

/** What of an agent its people may change; kept whole in every version. */
export interface AgentBody {
  name: string;
  description: string | null;
  model: string;
  systemPrompt: string;
  agentType: AgentType;
  accessScope: AccessScope;
  allowedUserIds: string[];
  settings: ModelSettings;
  promptVariables: PromptVariable[];
  tools: BuiltinTool[];
  knowledge: KnowledgeSource[];
  mcpServers: McpServerView[];
  localTools: LocalTool[];
  responseSchema: JsonObject | null;
  maxSteps: number | null;
  fallbackModels: string[];
  approvals: ApprovalRule[];
  metadata: JsonObject;
}

type MayBeMissing = 'approvals' | 'promptVariables' | 'mcpServers' | 'localTools' | 'responseSchema' | 'metadata';

/** As it is read: fields that came later are missing from older agents, and fields that are too large to be read. */
export type StoredBody = Omit<AgentBody, MayBeMissing> & Partial<Pick<AgentBody, MayBeMissing>>;

export const wholeBody = (body: StoredBody): AgentBody => ({
  ...body,
  approvals: body.approvals ?? [],
  promptVariables: body.promptVariables ?? [],
  mcpServers: body.mcpServers ?? [],
  localTools: body.localTools ?? [],
  responseSchema: body.responseSchema ?? null,
  metadata: body.metadata ?? {},
});

/** An agent with everything that a run of it needs. `secrets` holds encrypted headers by MCP server name. */
export interface AgentRecord extends AgentBody {
  id: string;
  system: boolean;
  version: number;
  createdBy: string | null;
  createdAt: string;
  updatedAt: string;
  secrets: Record<string, string>;
  /** Its fields that are over their limits; none where it is left out. */
  oversized?: OversizedFields;
}

export const emptyBody = (name: string, model: string, systemPrompt: string): AgentBody => ({
  name,
  description: null,
  model,
  systemPrompt,
  agentType: AGENT_TYPES[0],
  accessScope: 'SPACE',
  allowedUserIds: [],
  settings: {},
  promptVariables: [],
  tools: [],
  knowledge: [],
  mcpServers: [],
  localTools: [],
  responseSchema: null,
  maxSteps: null,
  fallbackModels: [],
  approvals: [],
  metadata: {},
});

export const bodyOf = (agent: AgentBody): AgentBody => ({
  name: agent.name,
  description: agent.description,
  model: agent.model,
  systemPrompt: agent.systemPrompt,
  agentType: agent.agentType,
  accessScope: agent.accessScope,
  allowedUserIds: agent.allowedUserIds,
  settings: agent.settings,
  promptVariables: agent.promptVariables,
  tools: agent.tools,
  knowledge: agent.knowledge,
  mcpServers: agent.mcpServers,
  localTools: agent.localTools,
  responseSchema: agent.responseSchema,
  maxSteps: agent.maxSteps,
  fallbackModels: agent.fallbackModels,
  approvals: agent.approvals,
  metadata: agent.metadata,
});

/** What may be large of an agent: lists leave it in the database. */
export const LARGE_FIELDS = [
  'systemPrompt',
  'mcpServers',
  'localTools',
  'responseSchema',
  'approvals',
  'metadata',
] as const satisfies readonly (keyof AgentBody)[];

type LargeField = (typeof LARGE_FIELDS)[number];

/** An agent as lists read it. */
export type ListedAgent = Omit<AgentRecord, LargeField | 'secrets'>;
export type ListedBody = Omit<AgentBody, LargeField | 'promptVariables'> & Partial<Pick<AgentBody, 'promptVariables'>>;

export const summaryOf = (agent: ListedAgent): AgentSummary => ({
  id: agent.id,
  name: agent.name,
  description: agent.description,
  model: agent.model,
  agentType: agent.agentType,
  accessScope: agent.accessScope,
  allowedUserIds: agent.allowedUserIds,
  settings: agent.settings,
  promptVariables: agent.promptVariables,
  tools: agent.tools,
  knowledge: agent.knowledge,
  maxSteps: agent.maxSteps,
  fallbackModels: agent.fallbackModels,
  system: agent.system,
  version: agent.version,
  createdBy: agent.createdBy,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
  ...shownOversized(agent.oversized ?? null),
});

const shownUnchecked = (paths: string[]): Pick<AgentView, 'uncheckedFormats'> =>
  paths.length > 0 ? { uncheckedFormats: paths } : {};

/** What a reader sees: never a secret. */
export const viewOf = (agent: AgentRecord): AgentView => ({
  id: agent.id,
  ...bodyOf(agent),
  ...shownUnchecked(uncheckedFormats(agent.responseSchema)),
  system: agent.system,
  version: agent.version,
  createdBy: agent.createdBy,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
  ...shownOversized(agent.oversized ?? null),
});
