import { Controller } from '@nestjs/common';
import { AgentCalls, type ApprovalVerdict, type CheckApproval, type Ctx } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ApprovalChecks } from './approval-checks';

@Controller()
export class ApprovalChecksController {
  constructor(private readonly approvals: ApprovalChecks) {}

  @Handles(AgentCalls.checkApproval)
  check(data: CheckApproval, ctx: Ctx): Promise<ApprovalVerdict> {
    return this.approvals.check(ctx, data);
  }
}
