import { APPROVAL_RULES_MAX, ApprovalRule, Field, f } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

export class ApproveMcpToolsBody {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'One server of the agent; all when not said.' })
  server?: string;
}

export class CheckApprovalBody {
  @Field(f.text({ min: 1, max: 128 }), { description: 'The name of the tool, as the model sees it.' }) tool!: string;
  @Field(f.record(), { description: 'The arguments of the call.' }) arguments!: JsonObject;
  @Field(
    f.list(
      f.object(() => ApprovalRule),
      { max: APPROVAL_RULES_MAX },
    ),
    { optional: true, description: "Rules to be tried in place of the agent's own." },
  )
  approvals?: ApprovalRule[];
}
