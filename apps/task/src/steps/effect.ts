import { createHash } from 'node:crypto';
import type { Ctx } from '@switchyard/contracts';
import type { ExecutionRow } from '../db/executions.repository';

export interface Effect {
  execution: ExecutionRow;
  stepId: string;
  attempt: number;
  input: Record<string, unknown>;
  ctx: Ctx;
  signal: AbortSignal;
}

/**
 * What a step does outside is done under a name that a second run of the same step bears too: whoever gets it twice
 * does it once. An agent's turn is named for the attempt as well, since a failed turn stays failed.
 */
export const effectKey = ({ execution, stepId }: Pick<Effect, 'execution' | 'stepId'>): string =>
  `${execution.id}:${stepId}`;

/** A UUID that is always the same for the same text. */
export function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
