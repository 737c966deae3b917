import type { Agent, NewAgent } from '@switchyard/client';
import { type StructureField, isUnfinished, rowsIn } from './structure-rows';

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
  topP: number | null;
  maxTokens: number | null;
  frequencyPenalty: number | null;
  presencePenalty: number | null;
  maxSteps: number | null;
  fallbackModels: string;
  promptVariables: string;
  knowledge: string;
  mcpServers: string;
  localTools: string;
  approvals: string;
  responseSchema: string;
  metadata: string;
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

export const STRUCTURES: readonly { field: StructureField; label: string; noun: string; hint: string }[] = [
  {
    field: 'promptVariables',
    label: 'Prompt variables',
    noun: 'variable',
    hint: 'Used as {{name}} in the prompt. A call without a required one is refused.',
  },
  {
    field: 'knowledge',
    label: 'Knowledge',
    noun: 'dataset',
    hint: 'Searched before the first model call; what is found is cited.',
  },
  { field: 'mcpServers', label: 'MCP servers', noun: 'server', hint: 'Their tools are offered to the model.' },
  {
    field: 'localTools',
    label: 'Local tools',
    noun: 'tool',
    hint: 'Run by the application that calls the agent.',
  },
  { field: 'approvals', label: 'Approvals', noun: 'rule', hint: 'Calls that match a rule wait for a person.' },
  {
    field: 'responseSchema',
    label: 'Response schema',
    noun: 'schema',
    hint: 'JSON Schema that answers of execute must match; null for free text.',
  },
  { field: 'metadata', label: 'Metadata', noun: 'field', hint: 'Any JSON object of your own.' },
];

/** Numbers that every call begins with, unless it brings its own. */
export const SETTINGS = [
  { field: 'temperature', setting: 'temperature', label: 'Temperature', min: 0, max: 2, step: 'any' },
  { field: 'topP', setting: 'top_p', label: 'Top p', min: 0, max: 1, step: 'any' },
  { field: 'maxTokens', setting: 'max_tokens', label: 'Max output tokens', min: 1, step: 1 },
  { field: 'frequencyPenalty', setting: 'frequency_penalty', label: 'Frequency penalty', step: 'any' },
  { field: 'presencePenalty', setting: 'presence_penalty', label: 'Presence penalty', step: 'any' },
] as const;

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
  topP: null,
  maxTokens: null,
  frequencyPenalty: null,
  presencePenalty: null,
  maxSteps: null,
  fallbackModels: '',
  promptVariables: '[]',
  knowledge: '[]',
  mcpServers: '[]',
  localTools: '[]',
  approvals: '[]',
  responseSchema: 'null',
  metadata: '{}',
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
  topP: agent.settings.top_p ?? null,
  maxTokens: agent.settings.max_tokens ?? null,
  frequencyPenalty: agent.settings.frequency_penalty ?? null,
  presencePenalty: agent.settings.presence_penalty ?? null,
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
  metadata: jsonOf(agent.metadata),
});

/** Structures that are not JSON, or hold some that is not finished. */
export function brokenFields(draft: AgentDraft): StructureField[] {
  return STRUCTURES.flatMap(({ field }) => {
    try {
      JSON.parse(draft[field]);
      return (rowsIn(draft[field]) ?? []).some((row) => isUnfinished(field, row)) ? [field] : [];
    } catch {
      return [field];
    }
  });
}

/** Only what differs from what was there travels: what is not shown whole is not written back. */
export function changesOf(draft: AgentDraft, before: AgentDraft): Partial<NewAgent> {
  const whole: Required<Omit<NewAgent, 'settings'>> = {
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
    ...(Object.fromEntries(STRUCTURES.map(({ field }) => [field, JSON.parse(draft[field]) as unknown])) as Required<
      Pick<NewAgent, StructureField>
    >),
  };
  const changed = Object.entries(whole).filter(([name]) => {
    const field = name as keyof AgentDraft;
    return JSON.stringify(draft[field]) !== JSON.stringify(before[field]);
  });
  const isTuned = SETTINGS.some(({ field }) => draft[field] !== before[field]);
  const own = SETTINGS.flatMap(({ field, setting }) => (draft[field] === null ? [] : [[setting, draft[field]]]));
  return {
    ...(Object.fromEntries(changed) as Partial<NewAgent>),
    ...(isTuned ? { settings: Object.fromEntries(own) as Agent['settings'] } : {}),
  };
}
