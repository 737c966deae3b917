import { Controller } from '@nestjs/common';
import { type AgentLatency, type Ctx, type LatencyOfAgent, SessionCalls } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { LatencyService } from './latency.service';

@Controller()
export class LatencyController {
  constructor(private readonly latency: LatencyService) {}

  @Handles(SessionCalls.agentLatency)
  ofAgent(data: LatencyOfAgent, ctx: Ctx): Promise<AgentLatency> {
    return this.latency.ofAgent(ctx, data);
  }
}
