import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { OURS } from '../fields/size';
import { f } from '../fields/spec';
import { InteractionForm } from '../session/interaction';
import { AgentSummary, AgentView } from './agent-record';
import { APPROVERS, ApprovalRule, type Approver } from './approvals';

@Described("An entry in an agent's list of versions.")
export class AgentVersionSummary {
  @Field(f.id()) agentId!: string;
  @Field(f.int(), { description: 'Number of the version, from 1.' }) version!: number;
  @Field(f.object(() => AgentSummary), { description: 'The agent as of this version.' }) agent!: AgentSummary;
  @Field(f.id(), { nullable: true, description: 'Id of the user who made the change; null if that user is not known.' })
  changedBy!: string | null;
  @Field(f.time()) createdAt!: string;
}

@Described('A version of an agent, with the agent as it was.')
export class AgentVersionView extends AgentVersionSummary {
  @Field(f.object(() => AgentView), { description: 'The agent as of this version, with all of its fields.' })
  override agent!: AgentView;
}

@Described('A tool of an MCP server.')
export class McpToolView {
  @Field(f.text(), { description: 'Name of the server.' }) server!: string;
  @Field(f.text(), { description: 'Name of the tool.' }) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.record(OURS), { description: 'JSON Schema of the arguments.' }) inputSchema!: JsonObject;
  @Field(f.record(OURS), { description: 'Hints of the server about the tool.' }) annotations!: JsonObject;
  @Field(f.bool(), { description: 'Whether the agent may use it: allowedTools lets it, and it is as it was approved.' })
  allowed!: boolean;
  @Field(f.oneOf(['changed', 'new'] as const), {
    optional: true,
    description: 'Its definition is not the one that was approved; it is not offered until it is approved.',
  })
  withheld?: 'changed' | 'new';
}

@Described('An MCP server, or one of its tools, that is not available.')
export class UnavailableMcpServer {
  @Field(f.text(), { description: 'Name of the server.' }) server!: string;
  @Field(f.text(), { optional: true, description: 'Where one tool alone is not available.' }) tool?: string;
  @Field(f.text(), { description: 'Why it is not available.' }) reason!: string;
}

export class McpToolsView {
  @Field(f.list(f.object(() => McpToolView))) tools!: McpToolView[];
  @Field(f.list(f.object(() => UnavailableMcpServer))) unavailable!: UnavailableMcpServer[];
}

export const RULE_SOURCES = ['AGENT', 'SPACE'] as const;

@Described('An approval rule that matches a call.')
export class MatchingRule {
  @Field(f.oneOf(RULE_SOURCES), { description: 'Whose rule it is.' }) from!: (typeof RULE_SOURCES)[number];
  @Field(f.int({ min: 0 }), { description: 'Its place among the rules of the agent or of the Space, from 0.' })
  index!: number;
  @Field(f.object(() => ApprovalRule), { description: 'The rule.' }) rule!: ApprovalRule;
}

@Described('The decision about a call.')
export class ApprovalVerdict {
  @Field(f.oneOf(APPROVERS), {
    nullable: true,
    description: 'Who would have to approve it; null: it runs at once.',
  })
  by!: Approver | null;
  @Field(f.list(f.object(() => MatchingRule)), { description: 'Rules that match the call.' }) matches!: MatchingRule[];
  @Field(f.text(), { description: 'SHA-256 of the RFC 8785 form of the arguments, in hex.' }) digest!: string;
  @Field(f.object(() => InteractionForm), { nullable: true, description: 'What a person would be asked.' })
  question!: InteractionForm | null;
}
