import { Controller } from '@nestjs/common';
import {
  type AppendImport,
  type BeginImport,
  type Ctx,
  DatasetCalls,
  type ImportBegun,
  type ImportById,
  type ImportEnd,
  type ImportJobView,
  type ImportOfDataset,
  type ImportProgress,
  type ImportsOfDataset,
  Nothing,
  type Page,
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
  finish(data: ImportById, ctx: Ctx): Promise<ImportEnd> {
    return this.imports.finish(ctx, data.importId);
  }

  @Handles(DatasetCalls.abandonImport)
  async abandon(data: ImportById, ctx: Ctx): Promise<Nothing> {
    await this.imports.abandon(ctx, data.importId);
    return new Nothing();
  }

  @Handles(DatasetCalls.getImport)
  get(data: ImportOfDataset, ctx: Ctx): Promise<ImportJobView> {
    return this.imports.get(ctx, data);
  }

  @Handles(DatasetCalls.listImports)
  list(data: ImportsOfDataset, ctx: Ctx): Promise<Page<ImportJobView>> {
    return this.imports.list(ctx, data);
  }

  @Handles(DatasetCalls.cancelImport)
  cancel(data: ImportOfDataset, ctx: Ctx): Promise<ImportJobView> {
    return this.imports.cancel(ctx, data);
  }
}
