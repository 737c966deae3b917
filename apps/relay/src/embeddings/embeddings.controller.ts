import { Controller } from '@nestjs/common';
import { type Ctx, EmbedReply, EmbedRequest, RelayCalls } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { EmbeddingsService } from './embeddings.service';

@Controller()
export class EmbeddingsController {
  constructor(private readonly embeddings: EmbeddingsService) {}

  @Handles(RelayCalls.embed) embed(data: EmbedRequest, ctx: Ctx): Promise<EmbedReply> {
    return this.embeddings.embed(ctx, data);
  }
}
