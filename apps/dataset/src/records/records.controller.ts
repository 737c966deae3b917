import { Controller } from '@nestjs/common';
import {
  type CountRecords,
  type Counted,
  type Ctx,
  DatasetCalls,
  type DeletedRecords,
  type DeleteRecords,
  type Inserted,
  type InsertRecords,
  type QueryRecords,
  type RecordPage,
  type Updated,
  type UpdateRecords,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { QueryService } from './query.service';
import { RecordsService } from './records.service';

@Controller()
export class RecordsController {
  constructor(
    private readonly records: RecordsService,
    private readonly queries: QueryService,
  ) {}

  @Handles(DatasetCalls.insert)
  insert(data: InsertRecords, ctx: Ctx): Promise<Inserted> {
    return this.records.insert(ctx, data);
  }

  @Handles(DatasetCalls.update)
  update(data: UpdateRecords, ctx: Ctx): Promise<Updated> {
    return this.records.update(ctx, data);
  }

  @Handles(DatasetCalls.deleteRecords)
  delete(data: DeleteRecords, ctx: Ctx): Promise<DeletedRecords> {
    return this.records.delete(ctx, data);
  }

  @Handles(DatasetCalls.query)
  query(data: QueryRecords, ctx: Ctx): Promise<RecordPage> {
    return this.queries.query(ctx, data);
  }

  @Handles(DatasetCalls.count)
  count(data: CountRecords, ctx: Ctx): Promise<Counted> {
    return this.queries.count(ctx, data);
  }
}
