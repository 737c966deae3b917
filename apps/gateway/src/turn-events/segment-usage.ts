import { isFrame, type TurnFrame } from '@switchyard/contracts';

export interface Tokens {
  input: number;
  output: number;
}

/** Usage of one segment of a turn. Their sum is the turn's usage in the ledger. */
export class SegmentUsage {
  private before: Tokens = { input: 0, output: 0 };
  private here: Tokens = { input: 0, output: 0 };

  read(frame: TurnFrame, isEarlier: boolean): void {
    if (isFrame(frame, 'messageFinish')) {
      const into = isEarlier ? this.before : this.here;
      into.input += frame.data.usage.inputTokens;
      into.output += frame.data.usage.outputTokens;
    } else if (isFrame(frame, 'responseCompleted') && !isEarlier) {
      // The last frame has the usage of the whole turn, with interrupted calls.
      const { prompt_tokens: input, completion_tokens: output } = frame.data.token_usage;
      this.here = {
        input: Math.max(0, input - this.before.input),
        output: Math.max(0, output - this.before.output),
      };
    }
  }

  get tokens(): Tokens {
    return this.here;
  }
}
