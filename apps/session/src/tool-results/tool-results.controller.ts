import { Controller } from '@nestjs/common';
import {
  type AwaitToolResult,
  type Ctx,
  type Items,
  type RecordToolResult,
  SessionCalls,
  type ToolResult,
  type ToolResultsOf,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ToolResultsService } from './tool-results.service';

@Controller()
export class ToolResultsController {
  constructor(private readonly results: ToolResultsService) {}

  @Handles(SessionCalls.awaitToolResult)
  await(data: AwaitToolResult, ctx: Ctx): Promise<ToolResult> {
    return this.results.await(ctx, data);
  }

  @Handles(SessionCalls.submitToolResult)
  submit(data: RecordToolResult, ctx: Ctx): Promise<ToolResult> {
    return this.results.submit(ctx, data);
  }

  @Handles(SessionCalls.toolResults)
  list(data: ToolResultsOf, ctx: Ctx): Promise<Items<ToolResult>> {
    return this.results.list(ctx, data);
  }
}
