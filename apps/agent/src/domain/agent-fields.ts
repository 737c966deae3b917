import { type AgentChanges, type AgentSummary, type AgentView, SIZES } from '@switchyard/contracts';
import { type FieldRules, RecordFields } from '@switchyard/kernel';
import { shownServer } from './mcp-server-view';

/** Set by the service, not by the people who write agents. */
type OwnField =
  | 'id'
  | 'uncheckedFormats'
  | 'system'
  | 'version'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
  | 'oversized';

/** The fields of an agent that its people write. All of them are stored with every version. */
export type AgentBody = { [Name in keyof Omit<AgentView, OwnField>]: AgentView[Name] };

const small = false as const;
const large = true as const;

/** Each field of an agent, once. */
const RULES: FieldRules<AgentBody, AgentSummary, AgentChanges> = {
  name: { initial: '', isLarge: small },
  description: { initial: null, isLarge: small },
  model: { initial: '', isLarge: small },
  systemPrompt: { initial: '', isLarge: large },
  agentType: { initial: 'CHAT', isLarge: small },
  accessScope: { initial: 'SPACE', isLarge: small },
  allowedUserIds: { initial: [], isLarge: small, changed: (ids) => [...new Set(ids)] },
  settings: { initial: {}, isLarge: small },
  promptVariables: {
    initial: [],
    isLarge: small,
    bytes: SIZES.promptVariables,
    changed: (variables) => variables.map((variable) => ({ ...variable, required: variable.required ?? false })),
  },
  tools: { initial: [], isLarge: small, changed: (tools) => [...new Set(tools)] },
  knowledge: { initial: [], isLarge: small },
  mcpServers: {
    initial: [],
    isLarge: large,
    bytes: SIZES.agentList,
    changed: (servers, before) => servers.map((server) => shownServer(server, before)),
  },
  localTools: { initial: [], isLarge: large, bytes: SIZES.agentList },
  responseSchema: { initial: null, isLarge: large, bytes: SIZES.schema },
  maxSteps: { initial: null, isLarge: small },
  fallbackModels: { initial: [], isLarge: small },
  approvals: { initial: [], isLarge: large, bytes: SIZES.agentList },
  metadata: { initial: {}, isLarge: large, bytes: SIZES.metadata },
};

export const agentFields = new RecordFields<AgentBody, AgentSummary, AgentChanges>(RULES);

export type LargeField = Exclude<keyof AgentBody, keyof AgentSummary>;
