import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { InteractionForm } from '../session/interaction';
import { APPROVERS, ApprovalRule, type Approver } from './approvals';

export const RULE_SOURCES = ['AGENT', 'SPACE'] as const;

@Described('An approval rule that matches a call.')
export class MatchingRule {
  @Field(f.oneOf(RULE_SOURCES), { description: 'Owner of the rule: the agent or the Space.' })
  from!: (typeof RULE_SOURCES)[number];
  @Field(f.int({ min: 0 }), { description: 'Its place among the rules of the agent or of the Space, from 0.' })
  index!: number;
  @Field(f.object(() => ApprovalRule), { description: 'The rule.' }) rule!: ApprovalRule;
}

@Described('The decision about a call.')
export class ApprovalVerdict {
  @Field(f.oneOf(APPROVERS), {
    nullable: true,
    description: 'Required approver; null if the call runs without approval.',
  })
  by!: Approver | null;
  @Field(f.list(f.object(() => MatchingRule)), { description: 'Rules that match the call.' }) matches!: MatchingRule[];
  @Field(f.text(), { description: 'SHA-256 of the RFC 8785 form of the arguments, in hex.' }) digest!: string;
  @Field(f.object(() => InteractionForm), { nullable: true, description: 'Question that the approver would see.' })
  question!: InteractionForm | null;
}
