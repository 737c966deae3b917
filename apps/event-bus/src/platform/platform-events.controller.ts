import { Controller } from '@nestjs/common';
import {
  AgentPlatformEvents,
  type Ctx,
  DatasetPlatformEvents,
  EventBusPlatformEvents,
  JobPlatformEvents,
  KeyPlatformEvents,
  type PlatformChange,
  RelayPlatformEvents,
  SessionPlatformEvents,
  TaskPlatformEvents,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';
import { PlatformEmissions } from './platform-emissions.service';

@Controller()
export class PlatformEventsController {
  constructor(private readonly emissions: PlatformEmissions) {}

  @Handles(TaskPlatformEvents.happened) ofTasks(data: PlatformChange, ctx: Ctx, tx: Tx): Promise<void> {
    return this.emissions.record(tx, ctx, data);
  }

  @Handles(JobPlatformEvents.happened) ofJobs(data: PlatformChange, ctx: Ctx, tx: Tx): Promise<void> {
    return this.emissions.record(tx, ctx, data);
  }

  @Handles(SessionPlatformEvents.happened) ofTurns(data: PlatformChange, ctx: Ctx, tx: Tx): Promise<void> {
    return this.emissions.record(tx, ctx, data);
  }

  @Handles(DatasetPlatformEvents.happened) ofDatasets(data: PlatformChange, ctx: Ctx, tx: Tx): Promise<void> {
    return this.emissions.record(tx, ctx, data);
  }

  @Handles(AgentPlatformEvents.happened) ofAgents(data: PlatformChange, ctx: Ctx, tx: Tx): Promise<void> {
    return this.emissions.record(tx, ctx, data);
  }

  @Handles(KeyPlatformEvents.happened) ofMembers(data: PlatformChange, ctx: Ctx, tx: Tx): Promise<void> {
    return this.emissions.record(tx, ctx, data);
  }

  @Handles(EventBusPlatformEvents.happened) ofEndpoints(data: PlatformChange, ctx: Ctx, tx: Tx): Promise<void> {
    return this.emissions.record(tx, ctx, data);
  }

  @Handles(RelayPlatformEvents.happened) ofAccounts(data: PlatformChange, ctx: Ctx, tx: Tx): Promise<void> {
    return this.emissions.record(tx, ctx, data);
  }
}
