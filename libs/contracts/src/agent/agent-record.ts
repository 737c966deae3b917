import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { OURS } from '../fields/size';
import { f } from '../fields/spec';
import { Oversized } from '../oversized';
import { SIZES, SYSTEM_PROMPT_MAX } from '../sizes';
import {
  BUILTIN_TOOLS,
  type BuiltinTool,
  KnowledgeSource,
  LocalTool,
  McpServerInput,
  McpServerView,
  PromptVariable,
} from './agent-parts';
import { APPROVAL_RULES_MAX, ApprovalRule } from './approvals';
import { ModelSettings } from './model-settings';

export const AGENT_TYPES = ['CHAT', 'TASK'] as const;
export const ACCESS_SCOPES = ['SPACE', 'RESTRICTED'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];
export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** An agent in a list, without its large fields. */
export class AgentSummary {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.text()) model!: string;
  @Field(f.oneOf(AGENT_TYPES)) agentType!: AgentType;
  @Field(f.oneOf(ACCESS_SCOPES)) accessScope!: AccessScope;
  @Field(f.list(f.id())) allowedUserIds!: string[];
  @Field(f.object(() => ModelSettings)) settings!: ModelSettings;
  @Field(f.list(f.object(() => PromptVariable))) promptVariables!: PromptVariable[];
  @Field(f.list(f.oneOf(BUILTIN_TOOLS))) tools!: BuiltinTool[];
  @Field(f.list(f.object(() => KnowledgeSource))) knowledge!: KnowledgeSource[];
  @Field(f.int(), { nullable: true, description: 'Model steps of one turn; the limit of the deployment when null.' })
  maxSteps!: number | null;
  @Field(f.list(f.text())) fallbackModels!: string[];
  @Field(f.bool(), { description: 'Built in: callable from every Space, read-only.' }) system!: boolean;
  @Field(f.int()) version!: number;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

export class AgentView extends AgentSummary {
  @Field(f.text()) systemPrompt!: string;
  @Field(f.list(f.object(() => McpServerView))) mcpServers!: McpServerView[];
  @Field(f.list(f.object(() => LocalTool))) localTools!: LocalTool[];
  @Field(f.record(OURS), { nullable: true }) responseSchema!: JsonObject | null;
  @Field(f.list(f.text()), {
    optional: true,
    description: 'Where responseSchema, stored before, asks for formats that are not checked: as JSON pointers.',
  })
  uncheckedFormats?: string[];
  @Field(f.list(f.object(() => ApprovalRule))) approvals!: ApprovalRule[];
  @Field(f.record(OURS)) metadata!: JsonObject;
}

const name = f.text({ min: 1, max: 200 });
const model = f.text({ min: 1, max: 200 });
const prompt = f.text({ min: 1, max: SYSTEM_PROMPT_MAX });

/** Fields of create and update; update takes any subset. */
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

/** Body of an update: given fields are replaced. */
export class AgentChanges extends AgentFields {
  @Field(name, { optional: true }) name?: string;
  @Field(model, { optional: true }) model?: string;
  @Field(prompt, { optional: true }) systemPrompt?: string;
}
