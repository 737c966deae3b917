import { type AgentSummary, type AgentView, type OversizedFields, shownOversized } from '@switchyard/contracts';
import { picked, uncheckedFormats } from '@switchyard/kernel';
import { type AgentBody, agentFields, type LargeField } from './agent-fields';

export type { AgentBody } from './agent-fields';

/** As it is read: without fields that are younger than the agent, and without those that are too large to be read. */
export type StoredBody = Partial<AgentBody>;

export const wholeBody = (body: StoredBody): AgentBody => ({ ...agentFields.initial(), ...body });

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
  ...agentFields.initial(),
  name,
  model,
  systemPrompt,
});

export const bodyOf = (agent: AgentBody): AgentBody => picked(agent, agentFields.names);

/** An agent as lists read it. */
export type ListedAgent = Omit<AgentRecord, LargeField | 'secrets'>;
export type ListedBody = Partial<Omit<AgentBody, LargeField>>;

/** The body of an agent in a list, where fields that are younger than it have their initial values. */
export const listedBody = (body: ListedBody): Omit<AgentBody, LargeField> =>
  picked({ ...agentFields.initial(), ...body }, agentFields.listed);

const ownFields = (agent: ListedAgent): Omit<AgentSummary, keyof AgentBody | 'id'> => ({
  system: agent.system,
  version: agent.version,
  createdBy: agent.createdBy,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
  ...shownOversized(agent.oversized ?? null),
});

export const summaryOf = (agent: ListedAgent): AgentSummary => ({
  id: agent.id,
  ...picked(agent, agentFields.listed),
  ...ownFields(agent),
});

const shownUnchecked = (paths: string[]): Pick<AgentView, 'uncheckedFormats'> =>
  paths.length > 0 ? { uncheckedFormats: paths } : {};

/** The agent as readers see it, without secrets. */
export const viewOf = (agent: AgentRecord): AgentView => ({
  id: agent.id,
  ...bodyOf(agent),
  ...shownUnchecked(uncheckedFormats(agent.responseSchema)),
  ...ownFields(agent),
});
