import { Body, Controller, Param, Post } from '@nestjs/common';
import {
  Counted,
  type Ctx,
  DatasetCalls,
  DeletedRecords,
  Inserted,
  RecordPage,
  RecordsCount,
  RecordsQuery,
  RecordsToDelete,
  RecordsToInsert,
  RecordsToUpdate,
  Updated,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

const DEFAULT_LIMIT = 50;

@Controller('api/datasets/:datasetId/data')
export class RecordsController {
  constructor(private readonly bus: Bus) {}

  @Post('insert')
  @Endpoint({
    summary: 'Insert records, all or none',
    scope: 'datasets:write',
    role: 'MEMBER',
    reply: Inserted,
    idempotent: true,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async insert(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsToInsert) {
    return ok('Records inserted.', await this.bus.call(DatasetCalls.insert, ctx, { ...body, datasetId }));
  }

  @Post('update')
  @Endpoint({
    summary: 'Update matching records',
    scope: 'datasets:write',
    role: 'MEMBER',
    reply: Updated,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async update(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsToUpdate) {
    return ok('Records updated.', await this.bus.call(DatasetCalls.update, ctx, { ...body, datasetId }));
  }

  @Post('delete')
  @Endpoint({
    summary: 'Delete matching records',
    scope: 'datasets:write',
    role: 'MEMBER',
    reply: DeletedRecords,
    errors: ['NOT_FOUND'],
  })
  async delete(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsToDelete) {
    return ok('Records deleted.', await this.bus.call(DatasetCalls.deleteRecords, ctx, { ...body, datasetId }));
  }

  @Post('query')
  @Endpoint({
    summary: 'Find records by id, filter and order',
    scope: 'datasets:read',
    reply: RecordPage,
    errors: ['NOT_FOUND'],
  })
  async query(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsQuery) {
    const found = await this.bus.call(DatasetCalls.query, ctx, { ...body, datasetId });
    return page('Records.', found, body.limit ?? Math.max(DEFAULT_LIMIT, body.ids?.length ?? 0));
  }

  @Post('count')
  @Endpoint({ summary: 'Count records exactly', scope: 'datasets:read', reply: Counted, errors: ['NOT_FOUND'] })
  async count(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordsCount) {
    return ok('Records counted.', await this.bus.call(DatasetCalls.count, ctx, { ...body, datasetId }));
  }
}
