import { Injectable } from '@nestjs/common';
import { type AppendImport, type BeginImport, type Ctx, type Imported, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { invalid, newId } from '@switchyard/kernel';
import { Workers } from '@switchyard/service';
import { explainWriteError } from '../db/explain-write-error';
import { ImportRepository } from '../db/import.repository';
import { Layouts } from '../db/layouts';
import { readImportLine } from '../domain/read-import-line';
import { RecordsService } from '../records/records.service';
import { Embedder } from '../vectors/embedder';

/** Files of any size: staged part by part, then written in one transaction. Memory holds one part at a time. */
@Injectable()
export class ImportService {
  constructor(
    private readonly database: Database,
    private readonly layouts: Layouts,
    private readonly imports: ImportRepository,
    private readonly records: RecordsService,
    private readonly embedder: Embedder,
    workers: Workers,
  ) {
    workers.every('forget imports that nobody finished', 3_600_000, () =>
      this.database.system('forget old imports', (tx) => this.imports.forgetOld(tx)),
    );
  }

  begin(ctx: Ctx, request: BeginImport): Promise<{ importId: string }> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      await this.layouts.get(tx, spaceId, request.datasetId);
      const importId = newId();
      await this.imports.begin(tx, spaceId, importId, request.datasetId, request.format);
      return { importId };
    });
  }

  append(ctx: Ctx, request: AppendImport): Promise<{ staged: number }> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const staging = await this.imports.lock(tx, spaceId, request.importId);
      if (request.part < staging.parts) return { staged: staging.staged };
      if (request.part > staging.parts)
        throw invalid('part', `is ${request.part}, and part ${staging.parts} is missing`);
      const layout = await this.layouts.get(tx, spaceId, staging.datasetId);
      const rows = request.lines.map((line) => ({ id: newId(), values: readImportLine(layout, staging.format, line) }));
      await this.imports.append(tx, spaceId, staging.id, request.part, rows);
      return { staged: staging.staged + rows.length };
    });
  }

  finish(ctx: Ctx, importId: string): Promise<Imported> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const staging = await this.imports.lock(tx, spaceId, importId);
      const write = await this.layouts.forWriting(tx, spaceId, staging.datasetId);
      for (let part = 0; part < staging.parts; part += 1) {
        const rows = await this.imports.part(tx, spaceId, importId, part);
        try {
          await this.records.insertRows(tx, ctx, write, rows);
        } catch (error) {
          throw explainWriteError(write.layout, error);
        }
      }
      await this.imports.end(tx, spaceId, importId);
      tx.afterCommit(() => {
        this.embedder.wake();
      });
      return { inserted: staging.staged };
    });
  }

  abandon(ctx: Ctx, importId: string): Promise<void> {
    return this.database.transaction(ctx, (tx) => this.imports.end(tx, requireSpace(ctx), importId));
  }
}
