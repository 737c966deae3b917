import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { Oversized } from '../oversized-fields';
import { SIZES, SYSTEM_PROMPT_MAX } from '../input-size-limits';
import {
  BUILTIN_TOOLS,
  type BuiltinTool,
  KnowledgeSource,
  LocalTool,
  McpServerInput,
  McpServerView,
  PromptVariable,
} from './agent-field-types';
import { APPROVAL_RULES_MAX, ApprovalRule } from './approvals';
import { ModelSettings } from './model-settings';

export const AGENT_TYPES = ['CHAT', 'TASK'] as const;
export const ACCESS_SCOPES = ['SPACE', 'RESTRICTED'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];
export type AccessScope = (typeof ACCESS_SCOPES)[number];

@Described('An agent in a list, without its large fields.')
export class AgentSummary {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.text(), { description: 'Id of the model.' }) model!: string;
  @Field(f.oneOf(AGENT_TYPES), { description: '`CHAT` for conversations, `TASK` for structured calls.' })
  agentType!: AgentType;
  @Field(f.oneOf(ACCESS_SCOPES), {
    description: '`SPACE`: every member may call the agent. `RESTRICTED`: only `allowedUserIds`.',
  })
  accessScope!: AccessScope;
  @Field(f.list(f.id()), { description: 'Users who may call a `RESTRICTED` agent.' }) allowedUserIds!: string[];
  @Field(f.object(() => ModelSettings), { description: 'Sampling settings of the model.' }) settings!: ModelSettings;
  @Field(f.list(f.object(() => PromptVariable)), { description: 'Variables that the system prompt may contain.' })
  promptVariables!: PromptVariable[];
  @Field(f.list(f.oneOf(BUILTIN_TOOLS)), { description: 'Built-in tools that the model may call.' })
  tools!: BuiltinTool[];
  @Field(f.list(f.object(() => KnowledgeSource)), {
    description: 'Datasets that are searched before the model answers.',
  })
  knowledge!: KnowledgeSource[];
  @Field(f.int(), { nullable: true, description: 'Model steps of one turn; the limit of the deployment when null.' })
  maxSteps!: number | null;
  @Field(f.list(f.text()), { description: 'Models that are tried in this order if `model` is unavailable.' })
  fallbackModels!: string[];
  @Field(f.bool(), { description: 'Built in: callable from every Space, read-only.' }) system!: boolean;
  @Field(f.int(), { description: 'Number of the current version, from 1.' }) version!: number;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

@Described('An agent with all of its fields.')
export class AgentView extends AgentSummary {
  @Field(f.text(), { description: 'Instructions for the model.' }) systemPrompt!: string;
  @Field(f.list(f.object(() => McpServerView)), {
    description: 'MCP servers whose tools the model may call, without the values of their headers.',
  })
  mcpServers!: McpServerView[];
  @Field(f.list(f.object(() => LocalTool)), { description: 'Tools that the host application runs.' })
  localTools!: LocalTool[];
  @Field(f.record(PLATFORM_WRITTEN), { nullable: true, description: 'JSON Schema of the answers; null for free text.' })
  responseSchema!: JsonObject | null;
  @Field(f.list(f.text()), {
    optional: true,
    description: 'JSON pointers to formats in an older `responseSchema` that are not checked.',
  })
  uncheckedFormats?: string[];
  @Field(f.list(f.object(() => ApprovalRule)), { description: 'Rules for tool calls that need an approval.' })
  approvals!: ApprovalRule[];
  @Field(f.record(PLATFORM_WRITTEN)) metadata!: JsonObject;
}

const name = f.text({ min: 1, max: 200 });
const model = f.text({ min: 1, max: 200 });
const prompt = f.text({ min: 1, max: SYSTEM_PROMPT_MAX });

@Described('Fields of an agent.')
export class AgentFields {
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(f.oneOf(AGENT_TYPES), {
    optional: true,
    description: '`CHAT` for conversations, `TASK` for structured calls.',
  })
  agentType?: AgentType;
  @Field(f.oneOf(ACCESS_SCOPES), {
    optional: true,
    description: '`SPACE`: every member may call the agent. `RESTRICTED`: only `allowedUserIds`.',
  })
  accessScope?: AccessScope;
  @Field(f.list(f.id(), { max: 1000 }), { optional: true, description: 'Users who may call a `RESTRICTED` agent.' })
  allowedUserIds?: string[];
  @Field(f.object(() => ModelSettings), { optional: true, description: 'Sampling settings of the model.' })
  settings?: ModelSettings;
  @Field(
    f.list(
      f.object(() => PromptVariable),
      { max: 100, bytes: SIZES.promptVariables },
    ),
    { optional: true, description: 'Variables that the system prompt may contain.' },
  )
  promptVariables?: PromptVariable[];
  @Field(f.list(f.oneOf(BUILTIN_TOOLS), { max: BUILTIN_TOOLS.length }), {
    optional: true,
    description: 'Built-in tools that the model may call.',
  })
  tools?: BuiltinTool[];
  @Field(
    f.list(
      f.object(() => KnowledgeSource),
      { max: 20 },
    ),
    { optional: true, description: 'Datasets that are searched before the model answers.' },
  )
  knowledge?: KnowledgeSource[];
  @Field(
    f.list(
      f.object(() => McpServerInput),
      { max: 20, bytes: SIZES.agentList },
    ),
    { optional: true, description: 'MCP servers whose tools the model may call.' },
  )
  mcpServers?: McpServerInput[];
  @Field(
    f.list(
      f.object(() => LocalTool),
      { max: 64, bytes: SIZES.agentList },
    ),
    { optional: true, description: 'Tools that the host application runs.' },
  )
  localTools?: LocalTool[];
  @Field(f.record(SIZES.schema), {
    optional: true,
    nullable: true,
    description:
      'JSON Schema (2020-12) that the answer of execute must match. Patterns are of the linear kind: no look-around, no back-references.',
  })
  responseSchema?: JsonObject | null;
  @Field(f.int({ min: 1, max: 100 }), {
    optional: true,
    nullable: true,
    description: 'Most model calls per turn; null for the default of the platform.',
  })
  maxSteps?: number | null;
  @Field(f.list(f.text({ min: 1, max: 200 }), { max: 10 }), {
    optional: true,
    description: 'Models that are tried in this order if `model` is unavailable.',
  })
  fallbackModels?: string[];
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

@Described('A new agent.')
export class CreateAgent extends AgentFields {
  @Field(name, { description: 'Name of the agent.' }) name!: string;
  @Field(model, { description: 'Id of the model, as `GET /models/v1/models` lists it.' }) model!: string;
  @Field(prompt, {
    description: 'Instructions for the model. May contain variables of `promptVariables` as `{{name}}`.',
  })
  systemPrompt!: string;
}

@Described('Changes of an agent. Given fields are replaced, the others stay.')
export class AgentChanges extends AgentFields {
  @Field(name, { optional: true, description: 'Name of the agent.' }) name?: string;
  @Field(model, { optional: true, description: 'Id of the model, as `GET /models/v1/models` lists it.' })
  model?: string;
  @Field(prompt, {
    optional: true,
    description: 'Instructions for the model. May contain variables of `promptVariables` as `{{name}}`.',
  })
  systemPrompt?: string;
}
