import type { Ctx, ModelContext } from '@switchyard/contracts';
import type { Span } from '@switchyard/kernel';
import type { AgentRecord } from '../../domain/stored-agent';
import type { TurnInput } from '../../domain/turn-input';
import type { TurnFacts } from '../../domain/turn-state';
import type { Toolset } from '../../tools/toolset';

/** All that decides on the size of a model call. */
export interface PromptParts {
  agent: AgentRecord;
  input: TurnInput;
  context: ModelContext | null;
  tools: Toolset;
  memories: string[];
}

/** A turn that this process holds, and all that it needs for it. */
export interface TurnSpec extends PromptParts {
  key: string;
  epoch: number;
  /** Acts as the person whose turn it is, even if the request that opened it has ended. */
  ctx: Ctx;
  /** While traces are on: what this process does for the turn. */
  span: Span | null;
  facts: TurnFacts;
}
