import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import {
  type Ctx,
  DatasetCalls,
  RecordsCount,
  RecordsQuery,
  RecordsToDelete,
  RecordsToInsert,
  RecordsToUpdate,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { ok } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { pageOfJson } from '../endpoint/page-of-json';

const DEFAULT_LIMIT = 50;

@Controller('api/datasets/:datasetId/data')
export class RecordsController {
  constructor(private readonly bus: Bus) {}

  @Post('insert')
  @Endpoint({ summary: 'Insert records, all or none', calls: DatasetCalls.insert })
  async insert(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsToInsert) {
    return ok('Records inserted.', await this.bus.call(DatasetCalls.insert, ctx, { ...body, datasetId }));
  }

  @Post('update')
  @Endpoint({ summary: 'Update matching records', calls: DatasetCalls.update })
  async update(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsToUpdate) {
    return ok('Records updated.', await this.bus.call(DatasetCalls.update, ctx, { ...body, datasetId }));
  }

  @Post('delete')
  @Endpoint({ summary: 'Delete matching records', calls: DatasetCalls.deleteRecords })
  async delete(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsToDelete) {
    return ok('Records deleted.', await this.bus.call(DatasetCalls.deleteRecords, ctx, { ...body, datasetId }));
  }

  @Post('query')
  @Endpoint({ summary: 'Find records by id, filter and order', calls: DatasetCalls.query })
  async query(
    @Caller() ctx: Ctx,
    @Param('datasetId', IdPipe) datasetId: string,
    @Body() body: RecordsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const found = await this.bus.callForJson(DatasetCalls.query, ctx, { ...body, datasetId });
    return pageOfJson(reply, 'Records.', found, body.limit ?? Math.max(DEFAULT_LIMIT, body.ids?.length ?? 0));
  }

  @Post('count')
  @Endpoint({ summary: 'Count records exactly', calls: DatasetCalls.count })
  async count(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsCount) {
    return ok('Records counted.', await this.bus.call(DatasetCalls.count, ctx, { ...body, datasetId }));
  }
}
