import { Controller, Get, Param, Res } from '@nestjs/common';
import { type Ctx, DatasetStreams } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { OpenStreams } from '../auth/open-streams';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

/** Datasets as files, of any size. */
@Controller('api/datasets/:datasetId')
export class FilesController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: OpenStreams,
  ) {}

  @Get('export')
  @Endpoint({
    summary: 'Export all records as NDJSON, oldest first',
    scope: 'datasets:read',
    raw: 'application/x-ndjson',
    errors: ['NOT_FOUND'],
  })
  async export(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) id: string, @Res() reply: FastifyReply): Promise<void> {
    const lines = await this.bus.stream(DatasetStreams.export, ctx, { id });
    const file = Readable.from(lines, { objectMode: true });
    const leave = this.streams.enter(ctx, (reason) => {
      file.destroy(reason);
    });
    file.once('close', leave);
    void reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="dataset-${id}.ndjson"`)
      .send(file);
  }
}
