import { Controller } from '@nestjs/common';
import {
  type AppendImport,
  type BeginImport,
  type Ctx,
  DatasetCalls,
  type ImportBegun,
  type ImportById,
  type Imported,
  type ImportProgress,
  Nothing,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ImportService } from './import.service';

@Controller()
export class ImportController {
  constructor(private readonly imports: ImportService) {}

  @Handles(DatasetCalls.beginImport)
  begin(data: BeginImport, ctx: Ctx): Promise<ImportBegun> {
    return this.imports.begin(ctx, data);
  }

  @Handles(DatasetCalls.appendImport)
  append(data: AppendImport, ctx: Ctx): Promise<ImportProgress> {
    return this.imports.append(ctx, data);
  }

  @Handles(DatasetCalls.finishImport)
  finish(data: ImportById, ctx: Ctx): Promise<Imported> {
    return this.imports.finish(ctx, data.importId);
  }

  @Handles(DatasetCalls.abandonImport)
  async abandon(data: ImportById, ctx: Ctx): Promise<Nothing> {
    await this.imports.abandon(ctx, data.importId);
    return new Nothing();
  }
}
