import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ChangeDataset, CreateDataset, type Ctx, DatasetCalls, ListDatasets } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/datasets')
export class DatasetsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({ summary: 'List datasets', calls: DatasetCalls.list })
  async list(@Caller() ctx: Ctx, @Query() query: ListDatasets) {
    return page('Datasets.', await this.bus.call(DatasetCalls.list, ctx, query), query.limit);
  }

  @Post()
  @Endpoint({ summary: 'Create a dataset', calls: DatasetCalls.create, status: 201 })
  async create(@Caller() ctx: Ctx, @Body() body: CreateDataset) {
    return ok('Dataset created.', await this.bus.call(DatasetCalls.create, ctx, body));
  }

  @Get(':datasetId')
  @Endpoint({ summary: 'Read a dataset', calls: DatasetCalls.get })
  async get(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) id: string) {
    return ok('Dataset.', await this.bus.call(DatasetCalls.get, ctx, { id }));
  }

  @Patch(':datasetId')
  @Endpoint({ summary: 'Rename or describe a dataset, or add optional fields', calls: DatasetCalls.patch })
  async patch(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) id: string, @Body() body: ChangeDataset) {
    return ok('Dataset changed.', await this.bus.call(DatasetCalls.patch, ctx, { ...body, id }));
  }

  @Delete(':datasetId')
  @Endpoint({ summary: 'Delete a dataset and its records', calls: DatasetCalls.delete })
  async delete(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) id: string) {
    return ok('Dataset deleted.', await this.bus.call(DatasetCalls.delete, ctx, { id }));
  }
}
