import { Controller } from '@nestjs/common';
import { GatewaySignals } from '@switchyard/contracts';
import type { Ctx, McpAnswer } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { HeldExchanges } from './held-exchanges';

@Controller()
export class McpAnswersController {
  constructor(private readonly exchanges: HeldExchanges) {}

  @Handles(GatewaySignals.mcpAnswered)
  onAnswer(data: McpAnswer, ctx: Ctx): void {
    this.exchanges.hear(data.exchangeId, data.message, ctx);
  }
}
