import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { type Ctx, DatasetCalls, RecordsQuery } from '@switchyard/contracts';
import { mergeFast } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { rawJsonPage } from '../../routing/raw-json-page';

const DEFAULT_LIMIT = 50;

@Controller('api/datasets/:datasetId/data')
export class RecordsController {
  constructor(private readonly bus: Bus) {}

  @Post('query')
  @Endpoint({ operationId: 'queryRecords', summary: 'Find records by id, filter and order', calls: DatasetCalls.query })
  async query(
    @Caller() ctx: Ctx,
    @Param('datasetId', IdPipe) datasetId: string,
    @Body() body: RecordsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const found = await this.bus.callForJson(DatasetCalls.query, ctx, mergeFast(body, { datasetId }));
    return rawJsonPage(reply, 'Records.', found, body.limit ?? Math.max(DEFAULT_LIMIT, body.ids?.length ?? 0));
  }
}
