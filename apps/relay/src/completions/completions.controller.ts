import { Controller } from '@nestjs/common';
import {
  CompleteRequest,
  CompletionFrame,
  type Ctx,
  PreflightReply,
  PreflightRequest,
  RelayCalls,
  RelayStreams,
} from '@switchyard/contracts';
import { type FrameBatch, Handles } from '@switchyard/messaging';
import { CompletionsService } from './completions.service';

@Controller()
export class CompletionsController {
  constructor(private readonly completions: CompletionsService) {}

  @Handles(RelayCalls.preflight) preflight(data: PreflightRequest, ctx: Ctx): Promise<PreflightReply> {
    return this.completions.preflight(ctx, data);
  }

  @Handles(RelayStreams.complete) complete(
    data: CompleteRequest,
    ctx: Ctx,
  ): AsyncIterable<CompletionFrame | FrameBatch<CompletionFrame>> {
    return this.completions.complete(ctx, data);
  }
}
