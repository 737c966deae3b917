import type { FrameData, TurnFrame } from './projection';

export interface Tokens {
  input: number;
  output: number;
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** What one stretch of a turn has used. All of them together are what the ledger has of the turn. */
export class StretchUsage {
  private before: Tokens = { input: 0, output: 0 };
  private here: Tokens = { input: 0, output: 0 };

  read({ method, data }: TurnFrame, isEarlier: boolean): void {
    if (method === 'messages' && data.event === 'message-finish') {
      const usage = data['usage'] as FrameData | undefined;
      const into = isEarlier ? this.before : this.here;
      into.input += numberOf(usage?.['inputTokens']);
      into.output += numberOf(usage?.['outputTokens']);
    }
    // The end tells of the whole turn, calls that a crash has cut off included.
    if (method === 'custom:service' && data.event === 'response-completed' && !isEarlier) {
      const usage = data['token_usage'] as FrameData | undefined;
      this.here = {
        input: Math.max(0, numberOf(usage?.['prompt_tokens']) - this.before.input),
        output: Math.max(0, numberOf(usage?.['completion_tokens']) - this.before.output),
      };
    }
  }

  get tokens(): Tokens {
    return this.here;
  }
}
