import type { EnvelopeError } from '@switchyard/contracts';

/** Runs that one root emission may lead to, however wide it fans out: depth alone does not bound a tree. */
export const ROOT_BUDGET = 256;

export const tooDeep = (depth: number, maxDepth: number): EnvelopeError | null =>
  depth <= maxDepth
    ? null
    : {
        code: 'DEPTH_LIMIT',
        message: `A chain of emissions ends at depth ${maxDepth}; this one would be at ${depth}.`,
      };

/**
 * Whether an emission may start its runs. Direct matches of a root always start, because they are no loop; they count,
 * so that their descendants are bounded.
 */
export const overBudget = (depth: number, runsSoFar: number, matches: number): EnvelopeError | null =>
  depth === 0 || matches === 0 || runsSoFar + matches <= ROOT_BUDGET
    ? null
    : {
        code: 'ROOT_BUDGET',
        message: `One root emission may lead to ${ROOT_BUDGET} runs; ${runsSoFar} have been started.`,
      };
