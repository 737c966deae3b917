import { Controller, HttpStatus, Param, Post, Req, Res } from '@nestjs/common';
import {
  type Ctx,
  DatasetCalls,
  type ImportEnd,
  type ImportFormat,
  Imported,
  ImportJobView,
  requireSpace,
} from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { ActiveResponses } from '../../auth/active-responses';
import { ok } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { refuseEncoded } from '../../http/body/request-body';
import { discardBody } from '../../http/body/discard-body';
import { ByteHolder } from '../../limits/byte-reservation';
import { IMPORT_TYPES, importFormat } from './import-format';
import { importParts } from './import-file-reader';
import { retryWhileUnavailable } from './retry-while-unavailable';

/** Files into datasets, of any size. */
@Controller('api/datasets/:datasetId')
export class ImportsController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
    private readonly bytes: ByteHolder,
  ) {}

  @Post('import')
  @Endpoint({
    operationId: 'importRecords',
    summary: 'Import records from NDJSON or CSV, all or none',
    description:
      'Lines of an export are accepted; their ids and times are ignored. An invalid line is rejected with its number. A large file is checked while it is sent and written in the background: 202, with the job.',
    calls: DatasetCalls.beginImport,
    body: 'stream',
    takes: IMPORT_TYPES,
    reply: Imported,
    also: [{ status: 202, description: 'A large file, which is written in the background.', reply: ImportJobView }],
    errors: ['CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
  })
  async import(
    @Caller() ctx: Ctx,
    @Param('datasetId', IdPipe) datasetId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const format = importFormat(request.headers['content-type']);
    refuseEncoded(request.headers);
    const file = request.body;
    if (!(file instanceof Readable))
      throw new AppError('VALIDATION_ERROR', 'Send the file as the body of the request.');
    const leave = this.streams.enter(ctx, (reason) => file.destroy(reason));
    const { imported, job } = await this.upload(ctx, datasetId, format, file).finally(() => {
      leave();
      discardBody(file);
    });
    if (job === null) return ok('Records imported.', imported);
    void reply.status(HttpStatus.ACCEPTED);
    return ok('The file is being imported.', job);
  }

  private async upload(ctx: Ctx, datasetId: string, format: ImportFormat, file: Readable): Promise<ImportEnd> {
    const { importId } = await retryWhileUnavailable(() =>
      this.bus.call(DatasetCalls.beginImport, ctx, { datasetId, format }),
    );
    const reservation = this.bytes.open({ spaceId: requireSpace(ctx) });
    const keep = (bytes: number): void => {
      reservation.resize(bytes);
    };
    try {
      let part = 0;
      for await (const lines of importParts(file, format, keep)) {
        const request = { importId, part, lines };
        await retryWhileUnavailable(() => this.bus.call(DatasetCalls.appendImport, ctx, request));
        part += 1;
      }
      return await retryWhileUnavailable(() => this.bus.call(DatasetCalls.finishImport, ctx, { importId }));
    } catch (error) {
      // A finish that may still be on its way imports nothing after it, also where the dataset service is away just
      // now.
      const abandon = (): Promise<unknown> => this.bus.call(DatasetCalls.abandonImport, ctx, { importId });
      await abandon().catch(() => void retryWhileUnavailable(abandon).catch(() => undefined));
      throw error;
    } finally {
      reservation.release();
    }
  }
}
