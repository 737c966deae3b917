import { Controller } from '@nestjs/common';
import {
  type CancelledTurn,
  type CheckpointSaved,
  type ClaimedTurns,
  type ClaimTurns,
  type ClosedTurn,
  type CloseTurn,
  type Ctx,
  type DeferTurn,
  type GetTurn,
  type HeartbeatResult,
  type HeartbeatTurns,
  type InteractionView,
  type Items,
  type ListTurns,
  type OpenedTurn,
  type OpenTurn,
  type PauseTurn,
  type ReleaseTurns,
  type RequestCancel,
  type SaveCheckpoint,
  SessionCalls,
  type TurnOfSession,
  type TurnRecord,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { TurnLeasesService } from './turn-leases.service';
import { TurnOpeningService } from './turn-opening.service';
import { TurnReadingService } from './turn-reading.service';
import { TurnCheckpointsService } from './turn-checkpoints.service';

@Controller()
export class TurnsController {
  constructor(
    private readonly opening: TurnOpeningService,
    private readonly runs: TurnCheckpointsService,
    private readonly leases: TurnLeasesService,
    private readonly reading: TurnReadingService,
  ) {}

  @Handles(SessionCalls.openTurn)
  open(data: OpenTurn, ctx: Ctx): Promise<OpenedTurn> {
    return this.opening.open(ctx, data);
  }

  @Handles(SessionCalls.saveCheckpoint)
  saveCheckpoint(data: SaveCheckpoint, ctx: Ctx): Promise<CheckpointSaved> {
    return this.runs.saveCheckpoint(ctx, data);
  }

  @Handles(SessionCalls.pauseTurn)
  pause(data: PauseTurn, ctx: Ctx): Promise<InteractionView> {
    return this.runs.pause(ctx, data);
  }

  @Handles(SessionCalls.closeTurn)
  close(data: CloseTurn, ctx: Ctx): Promise<ClosedTurn> {
    return this.runs.close(ctx, data);
  }

  @Handles(SessionCalls.heartbeatTurns)
  heartbeat(data: HeartbeatTurns): Promise<HeartbeatResult> {
    return this.leases.heartbeat(data);
  }

  @Handles(SessionCalls.claimTurns)
  claim(data: ClaimTurns): Promise<ClaimedTurns> {
    return this.leases.claim(data);
  }

  @Handles(SessionCalls.releaseTurns)
  release(data: ReleaseTurns, ctx: Ctx): Promise<Record<string, never>> {
    return this.leases.release(ctx, data);
  }

  @Handles(SessionCalls.deferTurn)
  defer(data: DeferTurn): Promise<Record<string, never>> {
    return this.leases.defer(data);
  }

  @Handles(SessionCalls.getTurn)
  get(data: GetTurn, ctx: Ctx): Promise<TurnRecord> {
    return this.reading.get(ctx, data);
  }

  @Handles(SessionCalls.listTurns)
  list(data: ListTurns, ctx: Ctx): Promise<Items<TurnOfSession>> {
    return this.reading.list(ctx, data);
  }

  @Handles(SessionCalls.requestCancel)
  requestCancel(data: RequestCancel, ctx: Ctx): Promise<CancelledTurn> {
    return this.reading.requestCancel(ctx, data);
  }
}
