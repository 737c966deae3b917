import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type Ctx, DatasetCalls, pageOf, TextHit, TextSearch } from '@switchyard/contracts';
import { mergeFast } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { rawJsonPage } from '../../routing/raw-json-page';

const DEFAULT_LIMIT = 50;
@Controller('api/datasets/:datasetId/data')
export class SearchController {
  constructor(private readonly bus: Bus) {}

  @Post('full-text-search')
  @Endpoint({
    operationId: 'searchRecordsByText',
    summary: 'Find records by their words',
    calls: DatasetCalls.fullTextSearch,
    reply: pageOf(TextHit),
  })
  async fullText(
    @Caller() ctx: Ctx,
    @Param('datasetId', IdPipe) datasetId: string,
    @Body() body: TextSearch,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const found = await this.bus.callForJson(DatasetCalls.fullTextSearch, ctx, mergeFast(body, { datasetId }));
    return rawJsonPage(reply, 'Records by rank.', found, body.limit ?? DEFAULT_LIMIT);
  }
}
