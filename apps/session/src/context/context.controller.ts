import { Controller } from '@nestjs/common';
import {
  type CompactedForTurn,
  type CompactForTurn,
  type CompactionResult,
  type ContextOf,
  type ContextStatus,
  type Ctx,
  SessionCalls,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { CompactionService } from './compaction.service';
import { ContextService } from './context.service';

@Controller()
export class ContextController {
  constructor(
    private readonly context: ContextService,
    private readonly compaction: CompactionService,
  ) {}

  @Handles(SessionCalls.contextStatus)
  status(data: ContextOf, ctx: Ctx): Promise<ContextStatus> {
    return this.context.status(ctx, data);
  }

  @Handles(SessionCalls.compact)
  compact(data: ContextOf, ctx: Ctx): Promise<CompactionResult> {
    return this.compaction.compact(ctx, data);
  }

  @Handles(SessionCalls.compactForTurn)
  compactForTurn(data: CompactForTurn, ctx: Ctx): Promise<CompactedForTurn> {
    return this.compaction.compactForTurn(ctx, data);
  }
}
