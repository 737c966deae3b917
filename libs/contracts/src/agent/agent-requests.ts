import type { JsonObject } from '@switchyard/kernel';
import { type Scope, SCOPES } from '../access';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { SIZES, SYSTEM_PROMPT_MAX } from '../sizes';
import {
  BUILTIN_TOOLS,
  type BuiltinTool,
  KnowledgeSource,
  LocalTool,
  McpServerInput,
  PromptVariable,
} from './agent-parts';
import { APPROVAL_RULES_MAX, ApprovalRule } from './approvals';
import { ACCESS_SCOPES, type AccessScope, AGENT_TYPES, type AgentType } from './agent-view';
import { ModelSettings } from './model-settings';

const name = f.text({ min: 1, max: 200 });
const model = f.text({ min: 1, max: 200 });
const prompt = f.text({ min: 1, max: SYSTEM_PROMPT_MAX });

/** The fields that create and update have in common; update takes any subset. */
export class AgentFields {
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(f.oneOf(AGENT_TYPES), { optional: true }) agentType?: AgentType;
  @Field(f.oneOf(ACCESS_SCOPES), { optional: true }) accessScope?: AccessScope;
  @Field(f.list(f.id(), { max: 1000 }), { optional: true }) allowedUserIds?: string[];
  @Field(f.object(() => ModelSettings), { optional: true }) settings?: ModelSettings;
  @Field(
    f.list(
      f.object(() => PromptVariable),
      { max: 100, bytes: SIZES.promptVariables },
    ),
    { optional: true },
  )
  promptVariables?: PromptVariable[];
  @Field(f.list(f.oneOf(BUILTIN_TOOLS), { max: BUILTIN_TOOLS.length }), { optional: true }) tools?: BuiltinTool[];
  @Field(
    f.list(
      f.object(() => KnowledgeSource),
      { max: 20 },
    ),
    { optional: true },
  )
  knowledge?: KnowledgeSource[];
  @Field(
    f.list(
      f.object(() => McpServerInput),
      { max: 20, bytes: SIZES.agentList },
    ),
    { optional: true },
  )
  mcpServers?: McpServerInput[];
  @Field(
    f.list(
      f.object(() => LocalTool),
      { max: 64, bytes: SIZES.agentList },
    ),
    { optional: true },
  )
  localTools?: LocalTool[];
  @Field(f.record(SIZES.schema), {
    optional: true,
    nullable: true,
    description:
      'JSON Schema (2020-12) that the answer of execute must match. Patterns are of the linear kind: no look-around, no back-references.',
  })
  responseSchema?: JsonObject | null;
  @Field(f.int({ min: 1, max: 100 }), { optional: true, nullable: true }) maxSteps?: number | null;
  @Field(f.list(f.text({ min: 1, max: 200 }), { max: 10 }), { optional: true }) fallbackModels?: string[];
  @Field(
    f.list(
      f.object(() => ApprovalRule),
      { max: APPROVAL_RULES_MAX, bytes: SIZES.agentList },
    ),
    { optional: true, description: 'Which calls of tools need an approval before they run.' },
  )
  approvals?: ApprovalRule[];
  @Field(f.record(SIZES.metadata), { optional: true }) metadata?: JsonObject;
}

export class CreateAgent extends AgentFields {
  @Field(name) name!: string;
  @Field(model) model!: string;
  @Field(prompt) systemPrompt!: string;
}

/** The body of an update: the fields given are replaced, the others stay. */
export class AgentChanges extends AgentFields {
  @Field(name, { optional: true }) name?: string;
  @Field(model, { optional: true }) model?: string;
  @Field(prompt, { optional: true }) systemPrompt?: string;
}

export class UpdateAgent {
  @Field(f.id()) agentId!: string;
  @Field(f.int(), { optional: true, description: 'The version the caller saw; another one now is refused.' })
  ifVersion?: number;
  @Field(f.object(() => AgentChanges)) changes!: AgentChanges;
}

export class AgentById {
  @Field(f.id()) agentId!: string;
}

export class ListAgents extends PageRequest {
  @Field(f.queryBool(), { optional: true, description: 'Only agents that the caller may call.' })
  accessibleOnly?: boolean;
  @Field(f.oneOf(AGENT_TYPES), { optional: true }) agentType?: AgentType;
  @Field(f.text({ max: 200 }), { optional: true, description: 'Part of the name.' }) q?: string;
}

export class ListAgentVersions extends PageRequest {
  @Field(f.id()) agentId!: string;
}

export class AgentVersion {
  @Field(f.id()) agentId!: string;
  @Field(f.int({ min: 1 })) version!: number;
}

export class RestoreAgentVersion extends AgentVersion {}

/** With `inputs`, an execute with them must not be one that is refused at once. */
export class CheckCallable extends AgentById {
  @Field(f.record(SIZES.inputs), { optional: true, description: 'Of the execute that is to come.' })
  inputs?: JsonObject;
  @Field(f.bool(), { optional: true, description: "Nothing is started: the key's list of agents does not count." })
  forReading?: boolean;
}

/** What other services need to know of an agent that the caller may call. */
export class CallableAgent {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text()) model!: string;
  @Field(f.oneOf(AGENT_TYPES)) agentType!: AgentType;
  @Field(f.bool()) system!: boolean;
  @Field(f.int()) version!: number;
  @Field(f.list(f.oneOf(SCOPES)), { description: 'The scopes that its tools and knowledge use.' })
  toolScopes!: Scope[];
}

/** Takes the tools of MCP servers as they are now. */
export class ApproveMcpTools extends AgentById {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'One server of the agent; all when not said.' })
  server?: string;
}

export class CheckApprovalBody {
  @Field(f.text({ min: 1, max: 128 }), { description: 'The name of the tool, as the model sees it.' }) tool!: string;
  @Field(f.record(SIZES.toolValue), { description: 'The arguments of the call.' }) arguments!: JsonObject;
  @Field(
    f.list(
      f.object(() => ApprovalRule),
      { max: APPROVAL_RULES_MAX, bytes: SIZES.agentList },
    ),
    { optional: true, description: "Rules to be tried in place of the agent's own." },
  )
  approvals?: ApprovalRule[];
}

/** Asks what would become of a call, without running anything. */
export class CheckApproval extends CheckApprovalBody {
  @Field(f.id()) agentId!: string;
}
