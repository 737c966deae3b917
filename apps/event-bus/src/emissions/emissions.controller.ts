import { Controller } from '@nestjs/common';
import {
  type Ctx,
  DatasetEvents,
  type EmitByHand,
  type EmitEvent,
  type Emitted,
  EventBusCalls,
  type RecordsWritten,
  TaskEvents,
  type TasksTriggered,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';
import { DataEmissionsService } from './data-emissions.service';
import { DeliveryResultsService } from './delivery-results.service';
import { EmissionsService } from './emissions.service';

@Controller()
export class EmissionsController {
  constructor(
    private readonly emissions: EmissionsService,
    private readonly dataEmissions: DataEmissionsService,
    private readonly deliveries: DeliveryResultsService,
  ) {}

  @Handles(EventBusCalls.emit) emit(data: EmitEvent, ctx: Ctx): Promise<Emitted> {
    return this.emissions.emit(ctx, data);
  }

  @Handles(EventBusCalls.emitByHand) emitByHand(data: EmitByHand, ctx: Ctx): Promise<Emitted> {
    return this.emissions.emitByHand(ctx, data);
  }

  @Handles(EventBusCalls.emitFromRun) emitFromRun(data: EmitEvent, ctx: Ctx): Promise<Emitted> {
    return this.emissions.emitFromRun(ctx, data);
  }

  @Handles(DatasetEvents.recordsWritten) recordsWritten(data: RecordsWritten, ctx: Ctx, tx: Tx): Promise<void> {
    return this.dataEmissions.record(tx, ctx, data);
  }

  @Handles(TaskEvents.triggered) triggered(data: TasksTriggered, ctx: Ctx, tx: Tx): Promise<void> {
    return this.deliveries.settle(tx, ctx, data);
  }
}
