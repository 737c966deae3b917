import { Controller, Get, Param, Res } from '@nestjs/common';
import { type Ctx, DatasetStreams } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { ActiveResponses } from '../../auth/active-responses';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { streamFile } from '../../turn-events/stream-file-response';

/** Datasets as files, of any size. */
@Controller('api/datasets/:datasetId')
export class FilesController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
  ) {}

  @Get('export')
  @Endpoint({
    operationId: 'exportRecords',
    summary: 'Export all records as NDJSON, oldest first',
    calls: DatasetStreams.export,
    raw: 'application/x-ndjson',
  })
  export(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) id: string, @Res() reply: FastifyReply): Promise<void> {
    return streamFile(this.streams, ctx, reply, {
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': `attachment; filename="dataset-${id}.ndjson"`,
      },
      open: (signal) => this.bus.stream(DatasetStreams.export, ctx, { id }, { signal }),
    });
  }
}
