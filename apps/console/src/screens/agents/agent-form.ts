import type { Agent, NewAgent } from '@switchyard/client';

/** The fields of an agent as they are edited: what is a structure is JSON in a text. */
export interface AgentDraft {
  name: string;
  description: string;
  model: string;
  systemPrompt: string;
  agentType: Agent['agentType'];
  accessScope: Agent['accessScope'];
  allowedUserIds: string;
  tools: readonly ToolName[];
  temperature: number | null;
  maxTokens: number | null;
  maxSteps: number | null;
  fallbackModels: string;
  promptVariables: string;
  knowledge: string;
  mcpServers: string;
  localTools: string;
  approvals: string;
  responseSchema: string;
}

export type ToolName = NonNullable<NewAgent['tools']>[number];

export const TOOLS: readonly { name: ToolName; does: string; isAction?: boolean }[] = [
  { name: 'ask_user', does: 'Asks the user a question and waits for the answer.' },
  { name: 'search_datasets', does: 'Finds records by meaning.' },
  { name: 'query_dataset', does: 'Reads records by a filter.' },
  { name: 'write_dataset', does: 'Inserts, changes and deletes records.', isAction: true },
  { name: 'run_task', does: 'Starts a task.', isAction: true },
  { name: 'emit_event', does: 'Emits an event of an application.', isAction: true },
  { name: 'web_search', does: 'Searches the web.' },
  { name: 'save_memory', does: 'Remembers facts about the user.' },
];

export const STRUCTURES: readonly { field: StructureField; label: string; hint: string }[] = [
  {
    field: 'promptVariables',
    label: 'Prompt variables',
    hint: '[{"name": "tone", "required": true, "default": "brief"}]: used as {{tone}} in the prompt.',
  },
  {
    field: 'knowledge',
    label: 'Knowledge',
    hint: '[{"datasetId": "…", "topK": 5}]: looked up before the first model call.',
  },
  {
    field: 'mcpServers',
    label: 'MCP servers',
    hint: '[{"name": "crm", "url": "https://…", "headers": {"authorization": "Bearer {{ secrets.CRM }}"}}]',
  },
  {
    field: 'localTools',
    label: 'Local tools',
    hint: 'Run by your own application: [{"name", "description", "parameters"}].',
  },
  {
    field: 'approvals',
    label: 'Approvals',
    hint: '[{"tool": "write_dataset", "when": {"operation": "delete"}, "by": "ADMIN"}]: such calls wait for a person.',
  },
  {
    field: 'responseSchema',
    label: 'Response schema',
    hint: 'JSON Schema that answers of execute must match; null for free text.',
  },
];

export type StructureField =
  'promptVariables' | 'knowledge' | 'mcpServers' | 'localTools' | 'approvals' | 'responseSchema';

const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);
const linesOf = (text: string): string[] => text.split(/[\s,]+/u).filter((line) => line !== '');

export const emptyDraft: AgentDraft = {
  name: '',
  description: '',
  model: '',
  systemPrompt: '',
  agentType: 'CHAT',
  accessScope: 'SPACE',
  allowedUserIds: '',
  tools: [],
  temperature: null,
  maxTokens: null,
  maxSteps: null,
  fallbackModels: '',
  promptVariables: '[]',
  knowledge: '[]',
  mcpServers: '[]',
  localTools: '[]',
  approvals: '[]',
  responseSchema: 'null',
};

export const draftOf = (agent: Agent): AgentDraft => ({
  name: agent.name,
  description: agent.description ?? '',
  model: agent.model,
  systemPrompt: agent.systemPrompt,
  agentType: agent.agentType,
  accessScope: agent.accessScope,
  allowedUserIds: agent.allowedUserIds.join('\n'),
  tools: agent.tools,
  temperature: agent.settings.temperature ?? null,
  maxTokens: agent.settings.max_tokens ?? null,
  maxSteps: agent.maxSteps,
  fallbackModels: agent.fallbackModels.join('\n'),
  promptVariables: jsonOf(agent.promptVariables),
  knowledge: jsonOf(agent.knowledge),
  // The values of headers are never shown: a server that is saved without them keeps those that it has.
  mcpServers: jsonOf(
    agent.mcpServers.map(({ name, url, allowedTools }) => ({ name, url, ...(allowedTools ? { allowedTools } : {}) })),
  ),
  localTools: jsonOf(agent.localTools),
  approvals: jsonOf(agent.approvals),
  responseSchema: jsonOf(agent.responseSchema),
});

/** Which structures are no JSON. */
export function brokenFields(draft: AgentDraft): StructureField[] {
  return STRUCTURES.flatMap(({ field }) => {
    try {
      JSON.parse(draft[field]);
      return [];
    } catch {
      return [field];
    }
  });
}

/** Only what differs from what was there travels: what is not shown whole is not written back. */
export function changesOf(draft: AgentDraft, before: AgentDraft, settings: Agent['settings']): Partial<NewAgent> {
  const whole: NewAgent = {
    name: draft.name,
    description: draft.description === '' ? null : draft.description,
    model: draft.model,
    systemPrompt: draft.systemPrompt,
    agentType: draft.agentType,
    accessScope: draft.accessScope,
    allowedUserIds: linesOf(draft.allowedUserIds),
    tools: [...draft.tools],
    maxSteps: draft.maxSteps,
    fallbackModels: linesOf(draft.fallbackModels),
    ...(Object.fromEntries(STRUCTURES.map(({ field }) => [field, JSON.parse(draft[field]) as unknown])) as Pick<
      NewAgent,
      StructureField
    >),
  };
  const changed = Object.entries(whole).filter(([name]) => {
    const field = name as keyof AgentDraft;
    return JSON.stringify(draft[field]) !== JSON.stringify(before[field]);
  });
  const isTuned = draft.temperature !== before.temperature || draft.maxTokens !== before.maxTokens;
  const { temperature: _temperature, max_tokens: _most, ...others } = settings;
  const tuned = {
    ...others,
    ...(draft.temperature === null ? {} : { temperature: draft.temperature }),
    ...(draft.maxTokens === null ? {} : { max_tokens: draft.maxTokens }),
  };
  return { ...(Object.fromEntries(changed) as Partial<NewAgent>), ...(isTuned ? { settings: tuned } : {}) };
}
