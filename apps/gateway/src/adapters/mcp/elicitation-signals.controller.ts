import { Controller } from '@nestjs/common';
import { GatewaySignals } from '@switchyard/contracts';
import type { Ctx, McpAnswer } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { PendingElicitations } from './pending-elicitations';

@Controller()
export class McpAnswersController {
  constructor(private readonly exchanges: PendingElicitations) {}

  @Handles(GatewaySignals.mcpAnswered)
  onAnswer(data: McpAnswer, ctx: Ctx): void {
    this.exchanges.listener(data.exchangeId, data.message, ctx);
  }
}
