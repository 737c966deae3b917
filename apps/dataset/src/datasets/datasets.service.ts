import { Injectable } from '@nestjs/common';
import {
  type Count,
  type CreateDataset,
  type Ctx,
  type DatasetView,
  type ListDatasets,
  type Page,
  type PatchDataset,
  requireSpace,
} from '@switchyard/contracts';
import { Database, listById, requireBelowCeiling } from '@switchyard/database';
import { retry } from '@switchyard/concurrency';
import { jsonEqual, newId } from '@switchyard/kernel';
import {
  addColumns,
  changeDataset,
  countDatasets,
  createDataset,
  deleteDataset,
  getDataset,
  isLockedByOthers,
  listDatasets,
  lockSchema,
} from '../db/dataset.repository';
import { retryOnDeadlock } from '../db/retry-on-deadlock';
import { checkNewSchema, extendSchema } from '../domain/check-schema';
import { StorageQuota } from '../storage/storage-quota';

const PATCH_ATTEMPTS = 8;
const PATCH_PAUSE_MS = 400;

const LIST = listById('datasets');

@Injectable()
export class DatasetsService {
  constructor(
    private readonly database: Database,
    private readonly storage: StorageQuota,
  ) {}

  async create(ctx: Ctx, request: CreateDataset): Promise<DatasetView> {
    const spaceId = requireSpace(ctx);
    const schema = checkNewSchema(request.schema);
    const ceiling = await this.storage.datasetsAllowed(spaceId);
    return this.database.once(ctx, async (tx) => {
      const count = (): Promise<number> => countDatasets(tx, spaceId);
      await requireBelowCeiling(tx, { spaceId, name: 'datasets', ceiling, count });
      return createDataset(tx, spaceId, {
        id: newId(),
        name: request.name,
        description: request.description ?? null,
        schema,
        createdBy: ctx.userId,
      });
    });
  }

  async count(spaceId: string): Promise<Count> {
    return { count: await this.database.inSpace(spaceId, (tx) => countDatasets(tx, spaceId)) };
  }

  get(ctx: Ctx, id: string): Promise<DatasetView> {
    return this.database.transaction(ctx, (tx) => getDataset(tx, requireSpace(ctx), id));
  }

  async list(ctx: Ctx, request: ListDatasets): Promise<Page<DatasetView>> {
    const window = LIST.windowOf(request);
    const requested = { ...window, name: request.q ?? null };
    const { rows, found } = await this.database.transaction(ctx, (tx) =>
      listDatasets(tx, requireSpace(ctx), requested),
    );
    return LIST.pageOf(rows, window, (row) => row, found);
  }

  /** A long write of the dataset may hold its table: then it is tried again, and others get their turns meanwhile. */
  patch(ctx: Ctx, request: PatchDataset): Promise<DatasetView> {
    return retry(() => this.change(ctx, request), {
      attempts: PATCH_ATTEMPTS,
      baseMs: PATCH_PAUSE_MS,
      maxMs: PATCH_PAUSE_MS,
      shouldRetry: isLockedByOthers,
    });
  }

  private change(ctx: Ctx, request: PatchDataset): Promise<DatasetView> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const current = await lockSchema(tx, spaceId, request.id);
      const extended = request.schema === undefined ? null : extendSchema(current, request.schema);
      if (extended !== null && extended.added.length > 0) await addColumns(tx, request.id, extended.added);
      const before = await getDataset(tx, spaceId, request.id);
      const { name = before.name, description = before.description } = request;
      const schema = extended?.schema ?? current;
      // A version is counted where there is something new.
      if (name === before.name && description === before.description && jsonEqual(schema, current)) return before;
      await changeDataset(tx, spaceId, request.id, { name, description, schema });
      return getDataset(tx, spaceId, request.id);
    });
  }

  delete(ctx: Ctx, id: string): Promise<{ id: string; deleted: boolean }> {
    return retryOnDeadlock(() =>
      this.database.transaction(ctx, async (tx) => {
        await deleteDataset(tx, requireSpace(ctx), id);
        this.storage.changes(tx, requireSpace(ctx));
        return { id, deleted: true };
      }),
    );
  }
}
