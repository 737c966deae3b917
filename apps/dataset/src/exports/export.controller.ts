import { Controller } from '@nestjs/common';
import { type ById, type Ctx, DatasetStreams } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ExportService } from './export.service';

@Controller()
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @Handles(DatasetStreams.export)
  export(data: ById, ctx: Ctx): AsyncIterable<string> {
    return this.exports.lines(ctx, data.id);
  }
}
