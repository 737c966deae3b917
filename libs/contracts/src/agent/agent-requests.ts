import type { JsonObject } from '@switchyard/kernel';
import { type Scope, SCOPES } from '../access';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';
import { AGENT_TYPES, AgentChanges, type AgentType } from './agent-record';
import { APPROVAL_RULES_MAX, ApprovalRule } from './approvals';

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
  @Field(f.oneOf(AGENT_TYPES), { optional: true, description: 'Only agents of this type.' }) agentType?: AgentType;
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

/** With `inputs`, also checks that an execute would accept them. */
export class CheckCallable extends AgentById {
  @Field(f.record(SIZES.inputs), { optional: true, description: 'Of the execute that is to come.' })
  inputs?: JsonObject;
  @Field(f.bool(), { optional: true, description: "Nothing is started: the key's list of agents does not count." })
  forReading?: boolean;
}

/** An agent that the caller may call, for other services. */
export class CallableAgent {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text()) model!: string;
  @Field(f.list(f.text()), { optional: true }) fallbackModels?: string[];
  @Field(f.oneOf(AGENT_TYPES)) agentType!: AgentType;
  @Field(f.bool()) system!: boolean;
  @Field(f.int()) version!: number;
  @Field(f.list(f.oneOf(SCOPES)), { description: 'The scopes that its tools and knowledge use.' })
  toolScopes!: Scope[];
}

/** Accepts the current tools of MCP servers. */
export class ApproveMcpTools extends AgentById {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'One server of the agent; all if omitted.' })
  server?: string;
}

@Described('A tool call to check against the approval rules.')
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

/** Dry run of a call against the approval rules. */
export class CheckApproval extends CheckApprovalBody {
  @Field(f.id()) agentId!: string;
}
