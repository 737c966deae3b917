export interface AgentFields {
  name: string;
  model: string;
  /** A template: `{{name}}` is replaced by the value of a prompt variable. */
  systemPrompt: string;
  description: string | null;
  agentType: 'CHAT' | 'TASK';
  accessScope: 'SPACE' | 'RESTRICTED';
  allowedUserIds: string[];
  settings: Record<string, number>;
  promptVariables: { name: string; description?: string; required?: boolean; default?: unknown }[];
  tools: string[];
  knowledge: { datasetId: string; topK?: number; minScore?: number }[];
  mcpServers: { name: string; url: string; headers?: Record<string, string>; allowedTools?: string[] }[];
  localTools: { name: string; description: string; parameters: Record<string, unknown> }[];
  responseSchema: Record<string, unknown> | null;
  maxSteps: number | null;
  fallbackModels: string[];
  metadata: Record<string, unknown>;
}

export interface Agent extends AgentFields {
  id: string;
  system: boolean;
  version: number;
  createdBy: string | null;
  createdAt: string;
  updatedAt: string;
}

export type NewAgent = Pick<AgentFields, 'name' | 'model' | 'systemPrompt'> & Partial<AgentFields>;

export interface McpTool {
  server: string;
  name: string;
  description: string | null;
  inputSchema: Record<string, unknown>;
  annotations: Record<string, unknown>;
  allowed: boolean;
}
