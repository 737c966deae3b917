import { Injectable } from '@nestjs/common';
import {
  type ApprovalRule,
  type ApprovalVerdict,
  type CheckApproval,
  type Ctx,
  type MatchingRule,
  checkApprovals,
} from '@switchyard/contracts';
import { AgentsService } from '../../agents/agents.service';
import { approvalForm } from '../../domain/approval-form';
import { approverOf, digestOf, isRuleFor } from '../../domain/approval-matching';
import { ApprovalRules } from '../run/approval-rules';

/** Tells those who write rules what the rules do with a call: by the same decision that turns take. */
@Injectable()
export class ApprovalChecks {
  constructor(
    private readonly agents: AgentsService,
    private readonly rules: ApprovalRules,
  ) {}

  async check(ctx: Ctx, { agentId, tool, arguments: args, approvals }: CheckApproval): Promise<ApprovalVerdict> {
    const agent = await this.agents.load(ctx, agentId);
    if (approvals) checkApprovals(approvals, 'approvals');
    const ofAgent = approvals ?? agent.approvals;
    const ofSpace = await this.rules.rulesOfSpace(ctx);
    const call = { name: tool, arguments: args };
    const matching = (rules: readonly ApprovalRule[], from: MatchingRule['from']): MatchingRule[] =>
      rules.flatMap((rule, index) => (isRuleFor(rule, call) ? [{ from, index, rule }] : []));
    const by = approverOf([...ofAgent, ...ofSpace], call);
    const digest = digestOf(args);
    const open = { ...call, id: 'call', source: 'builtin', action: true, state: 'pending' } as const;
    const question = by === null ? null : approvalForm([{ ...open, approval: { by, digest } }]).form;
    return { by, matches: [...matching(ofAgent, 'AGENT'), ...matching(ofSpace, 'SPACE')], digest, question };
  }
}
