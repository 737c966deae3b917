import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Ctx, DatasetCalls, DatasetStreams, Imported } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { OpenStreams } from '../auth/open-streams';
import { ok } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';
import { importFormat } from './import-format';
import { importParts } from './import-lines';

/** Datasets as files, in and out, of any size. */
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

  @Post('import')
  @Endpoint({
    summary: 'Import records from NDJSON or CSV, all or none',
    description:
      'Lines of an export are taken as they are; their ids and times are ignored. A bad line is refused with its number.',
    scope: 'datasets:write',
    role: 'MEMBER',
    body: 'stream',
    reply: Imported,
    errors: ['NOT_FOUND', 'CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
  })
  async import(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Req() request: FastifyRequest) {
    const format = importFormat(request.headers['content-type']);
    const file = request.body;
    if (!(file instanceof Readable))
      throw new AppError('VALIDATION_ERROR', 'Send the file as the body of the request.');
    const { importId } = await this.bus.call(DatasetCalls.beginImport, ctx, { datasetId, format });
    try {
      let part = 0;
      for await (const lines of importParts(file, format)) {
        await this.bus.call(DatasetCalls.appendImport, ctx, { importId, part, lines });
        part += 1;
      }
      return ok('Records imported.', await this.bus.call(DatasetCalls.finishImport, ctx, { importId }));
    } catch (error) {
      await this.bus.call(DatasetCalls.abandonImport, ctx, { importId }).catch(() => undefined);
      throw error;
    }
  }
}
