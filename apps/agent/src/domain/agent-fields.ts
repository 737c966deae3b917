import { type AgentChanges, type AgentSummary, type AgentView, SIZES } from '@switchyard/contracts';
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
export type AgentField = keyof AgentBody;

interface FieldRule<Name extends AgentField> {
  /** The value of an agent that was created without it, or stored before the field existed. */
  initial: AgentBody[Name];
  /** Lists leave it in the database: true for exactly the fields that an AgentSummary does not have. */
  isLarge: Name extends keyof AgentSummary ? false : true;
  /** The most bytes of its JSON, also when an older version is restored. */
  bytes?: number;
  /** The value after a change; without it, the value that was given. */
  changed?: (given: NonNullable<AgentChanges[Name]>, before: AgentBody[Name]) => AgentBody[Name];
}

const small = false as const;
const large = true as const;

/** Each field of an agent, once. A field without a line here does not compile. */
export const AGENT_FIELDS: { readonly [Name in AgentField]: FieldRule<Name> } = {
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

export const AGENT_FIELD_NAMES = Object.keys(AGENT_FIELDS) as AgentField[];

export type LargeField = Exclude<AgentField, keyof AgentSummary>;
export const LARGE_FIELDS = AGENT_FIELD_NAMES.filter((name): name is LargeField => AGENT_FIELDS[name].isLarge);
export const LISTED_FIELDS = AGENT_FIELD_NAMES.filter(
  (name): name is Exclude<AgentField, LargeField> => !AGENT_FIELDS[name].isLarge,
);

export const initialBody = (): AgentBody =>
  Object.fromEntries(
    AGENT_FIELD_NAMES.map((name) => [name, structuredClone(AGENT_FIELDS[name].initial)]),
  ) as unknown as AgentBody;

/** These fields of a record, in this order. */
export const picked = <Record, Name extends keyof Record>(record: Record, names: readonly Name[]): Pick<Record, Name> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<Record, Name>;

/** The field after a change of the agent: the value given, or, when none is given, the one that it had. */
export function changedField<Name extends AgentField>(
  name: Name,
  body: AgentBody,
  changes: AgentChanges,
): AgentBody[Name] {
  const given = changes[name];
  if (given === undefined) return body[name];
  const { changed } = AGENT_FIELDS[name];
  return changed ? changed(given, body[name]) : (given as AgentBody[Name]);
}
