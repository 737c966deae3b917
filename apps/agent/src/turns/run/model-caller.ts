import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type CompleteRequest,
  type CompletionFrame,
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

export interface ModelListener {
  onText: (kind: 'delta' | 'reasoning', text: string) => void;
  /** The relay has read the request. */
  onTaken?: (() => void) | undefined;
}

/** One model call through the relay: deltas as they come, then what it came to. */
@Injectable()
export class ModelCaller {
  constructor(private readonly bus: Bus) {}

  async call(
    ctx: Ctx,
    request: CompleteRequest,
    signal: AbortSignal,
    { onText, onTaken }: ModelListener,
  ): Promise<ModelAnswer> {
    const toolCalls: ModelToolCall[] = [];
    const reader = await this.bus.stream(RelayStreams.complete, ctx, request, { signal, onTaken });
    // Behind its last frame a stream ends by itself.
    let isDone = false;
    try {
      // All that is here in one go: under load a wait per frame costs more than the frame.
      while (await reader.more()) {
        for (const frame of reader.takeReady()) {
          if (frame.kind === 'delta' || frame.kind === 'reasoning') {
            if (frame.text) onText(frame.kind, frame.text);
          } else if (frame.kind === 'tool-call' && frame.toolCall) toolCalls.push(frame.toolCall);
          else if (frame.kind === 'done') {
            isDone = true;
            return answerOf(frame, toolCalls, request.model);
          }
        }
      }
    } finally {
      if (!isDone) reader.cancel();
    }
    throw new AppError('RUNTIME_UNAVAILABLE', 'The model stopped in the middle of its answer. Try again.');
  }
}

const NO_USAGE = { promptTokens: 0, completionTokens: 0, totalTokens: 0, cost: 0, estimated: true };

const answerOf = (done: CompletionFrame, toolCalls: ModelToolCall[], model: string): ModelAnswer => ({
  toolCalls,
  usage: done.usage ?? NO_USAGE,
  finishReason: done.finishReason ?? 'stop',
  model: done.model ?? model,
});
