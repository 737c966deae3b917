import type { Cause, Lineage } from '@switchyard/contracts';

export interface EmissionCause {
  depth: number;
  causationId: string | null;
  correlationId: string;
  parent: string | null;
  root: string | null;
}

type Caller = Cause & { lineage?: Lineage };

/** From outside, without a cause: a new root. */
export const rootCause = (envelopeId: string): EmissionCause => ({
  depth: 0,
  causationId: null,
  correlationId: envelopeId,
  parent: null,
  root: null,
});

/** From a run: one deeper than the run, in the run's chain. A run without a cause begins a chain here. */
export const runCause = (envelopeId: string, run: Caller): EmissionCause =>
  inTree(run, {
    depth: run.depth + 1,
    causationId: run.causationId,
    correlationId: run.correlationId ?? run.causationId ?? envelopeId,
  });

/** From a request or a data write: of a run, of a person, or one that names the envelope that it follows from. */
export const writeCause = (envelopeId: string, write: Caller): EmissionCause =>
  write.causationId === null ? inTree(write, rootCause(envelopeId)) : runCause(envelopeId, write);

/** Where it hangs in the tree of causes. The root is kept where the correlation does not say it. */
const inTree = (
  { lineage }: Caller,
  cause: Pick<EmissionCause, 'depth' | 'causationId' | 'correlationId'>,
): EmissionCause => ({
  ...cause,
  parent: lineage?.parent ?? null,
  root: lineage === undefined || lineage.root === cause.correlationId ? null : lineage.root,
});
