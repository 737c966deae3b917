import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { type Ctx, DatasetCalls, Nothing } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

/** The texts of a dataset that vector search does not find yet. */
@Controller('api/datasets/:datasetId/embeddings')
export class EmbeddingsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({
    summary: 'See which texts wait for their vectors, and which fail',
    calls: DatasetCalls.getEmbeddings,
  })
  async get(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string) {
    return ok('Embeddings.', await this.bus.call(DatasetCalls.getEmbeddings, ctx, { datasetId }));
  }

  @Post('retry')
  @Endpoint({
    summary: 'Embed the texts that failed again, now',
    description: 'At most 10,000 at a time. They are tried again by themselves too, some minutes apart.',
    calls: DatasetCalls.retryEmbeddings,
  })
  async retry(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() _: Nothing) {
    return ok('They are tried again.', await this.bus.call(DatasetCalls.retryEmbeddings, ctx, { datasetId }));
  }
}
