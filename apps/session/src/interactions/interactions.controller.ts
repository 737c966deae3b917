import { Controller } from '@nestjs/common';
import {
  type AnsweredInteraction,
  type AnswerInteraction,
  type Ctx,
  type InboxInteraction,
  type InteractionView,
  type ListInteractions,
  type ListPendingInteractions,
  type Page,
  SessionCalls,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { InteractionsService } from './interactions.service';

@Controller()
export class InteractionsController {
  constructor(private readonly interactions: InteractionsService) {}

  @Handles(SessionCalls.answerInteraction)
  answer(data: AnswerInteraction, ctx: Ctx): Promise<AnsweredInteraction> {
    return this.interactions.answer(ctx, data);
  }

  @Handles(SessionCalls.tryAnswer)
  tryAnswer(data: AnswerInteraction, ctx: Ctx): Promise<AnsweredInteraction> {
    return this.interactions.tryAnswer(ctx, data);
  }

  @Handles(SessionCalls.listInteractions)
  list(data: ListInteractions, ctx: Ctx): Promise<Page<InboxInteraction>> {
    return this.interactions.list(ctx, data);
  }

  @Handles(SessionCalls.listPendingInteractions)
  listPending(data: ListPendingInteractions, ctx: Ctx): Promise<Page<InteractionView>> {
    return this.interactions.listPending(ctx, data);
  }
}
