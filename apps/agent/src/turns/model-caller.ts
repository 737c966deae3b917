import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type CompleteRequest,
  type CompletionUsage,
  type ModelToolCall,
  RelayStreams,
} from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';

export interface ModelAnswer {
  toolCalls: ModelToolCall[];
  usage: CompletionUsage;
  finishReason: string;
  model: string;
}

/** One model call through the relay: deltas as they come, then what it came to. */
@Injectable()
export class ModelCaller {
  constructor(private readonly bus: Bus) {}

  async call(
    ctx: Ctx,
    request: CompleteRequest,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<ModelAnswer> {
    const toolCalls: ModelToolCall[] = [];
    const reader = await this.bus.stream(RelayStreams.complete, ctx, request, { signal });
    for await (const frame of reader) {
      switch (frame.kind) {
        case 'delta':
          if (frame.text !== undefined && frame.text !== '') onText(frame.text);
          break;
        case 'tool-call':
          if (frame.toolCall) toolCalls.push(frame.toolCall);
          break;
        case 'done':
          return {
            toolCalls,
            usage: frame.usage ?? { promptTokens: 0, completionTokens: 0, totalTokens: 0, cost: 0, estimated: true },
            finishReason: frame.finishReason ?? 'stop',
            model: frame.model ?? request.model,
          };
        case 'reasoning':
          break;
      }
    }
    throw new AppError('RUNTIME_UNAVAILABLE', 'The model stopped in the middle of its answer. Try again.');
  }
}
