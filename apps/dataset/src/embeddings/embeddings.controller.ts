import { Controller } from '@nestjs/common';
import {
  type Ctx,
  DatasetCalls,
  type EmbeddingsOfDataset,
  type EmbeddingsRetried,
  type EmbeddingsView,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { EmbeddingsService } from './embeddings.service';

@Controller()
export class EmbeddingsController {
  constructor(private readonly embeddings: EmbeddingsService) {}

  @Handles(DatasetCalls.getEmbeddings)
  get(data: EmbeddingsOfDataset, ctx: Ctx): Promise<EmbeddingsView> {
    return this.embeddings.get(ctx, data.datasetId);
  }

  @Handles(DatasetCalls.retryEmbeddings)
  retry(data: EmbeddingsOfDataset, ctx: Ctx): Promise<EmbeddingsRetried> {
    return this.embeddings.retry(ctx, data.datasetId);
  }
}
