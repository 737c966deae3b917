import { Controller } from '@nestjs/common';
import {
  type ById,
  type Count,
  type CreateDataset,
  type Ctx,
  DatasetCalls,
  type DatasetView,
  type Deleted,
  type InSpace,
  type ListDatasets,
  type Page,
  type PatchDataset,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { DatasetsService } from './datasets.service';

@Controller()
export class DatasetsController {
  constructor(private readonly datasets: DatasetsService) {}

  @Handles(DatasetCalls.countDatasets)
  count({ spaceId }: InSpace): Promise<Count> {
    return this.datasets.count(spaceId);
  }

  @Handles(DatasetCalls.create)
  create(data: CreateDataset, ctx: Ctx): Promise<DatasetView> {
    return this.datasets.create(ctx, data);
  }

  @Handles(DatasetCalls.list)
  list(data: ListDatasets, ctx: Ctx): Promise<Page<DatasetView>> {
    return this.datasets.list(ctx, data);
  }

  @Handles(DatasetCalls.get)
  get(data: ById, ctx: Ctx): Promise<DatasetView> {
    return this.datasets.get(ctx, data.id);
  }

  @Handles(DatasetCalls.patch)
  patch(data: PatchDataset, ctx: Ctx): Promise<DatasetView> {
    return this.datasets.patch(ctx, data);
  }

  @Handles(DatasetCalls.delete)
  delete(data: ById, ctx: Ctx): Promise<Deleted> {
    return this.datasets.delete(ctx, data.id);
  }
}
