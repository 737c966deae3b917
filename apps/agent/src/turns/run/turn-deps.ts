import { Injectable } from '@nestjs/common';
import { Logger } from '@switchyard/service';
import { AgentConfig } from '../../agent.config';
import { beforeRun, formOf } from '../../domain/tool-call-checks';
import { KnowledgeRetrieval } from '../../tools/knowledge-retrieval';
import { HeavySlots } from '../limits/heavy-slots';
import { ApprovalRules } from './approval-rules';
import { ContextCompactor } from './context-compactor';
import { InterruptedCallUsage } from './interrupted-call-usage';
import { ModelCaller } from './model-caller';
import { ModelRequests } from './model-requests';
import { SessionPort } from './session-port';
import { SpaceSuspensions } from './space-suspensions';

/** Services that every running turn uses. */
@Injectable()
export class TurnDeps {
  readonly rules = { beforeRun, formOf };
  readonly limits: { turnTimeoutMs: number };

  constructor(
    readonly models: ModelCaller,
    readonly requests: ModelRequests,
    readonly session: SessionPort,
    readonly knowledgeRetrieval: KnowledgeRetrieval,
    readonly contextCompactor: ContextCompactor,
    readonly approvals: ApprovalRules,
    readonly interruptedCallUsage: InterruptedCallUsage,
    readonly spaceSuspensions: SpaceSuspensions,
    readonly heavy: HeavySlots,
    readonly log: Logger,
    config: AgentConfig,
  ) {
    this.limits = { turnTimeoutMs: config.TURN_TIMEOUT_MS };
  }
}
