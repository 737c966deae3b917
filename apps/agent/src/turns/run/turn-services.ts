import { Injectable } from '@nestjs/common';
import { Logger } from '@switchyard/service';
import { AgentConfig } from '../../agent.config';
import { beforeRun, formOf } from '../../domain/tool-rules';
import { Knowledge } from '../../tools/knowledge';
import { ApprovalRules } from './approval-rules';
import { Compactor } from './compactor';
import { CutCalls } from './cut-calls';
import { ModelCaller } from './model-caller';
import { ModelRequests } from './model-requests';
import { SessionPort } from './session-port';
import { Suspensions } from './suspensions';

/** Services that every running turn uses. */
@Injectable()
export class TurnServices {
  readonly rules = { beforeRun, formOf };
  readonly limits: { turnTimeoutMs: number };

  constructor(
    readonly models: ModelCaller,
    readonly requests: ModelRequests,
    readonly session: SessionPort,
    readonly knowledge: Knowledge,
    readonly compactor: Compactor,
    readonly approvals: ApprovalRules,
    readonly cutCalls: CutCalls,
    readonly suspensions: Suspensions,
    readonly log: Logger,
    config: AgentConfig,
  ) {
    this.limits = { turnTimeoutMs: config.TURN_TIMEOUT_MS };
  }
}
