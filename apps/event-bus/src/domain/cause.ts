import type { Cause } from '@switchyard/contracts';

export interface EmissionCause {
  depth: number;
  causationId: string | null;
  correlationId: string;
}

/** From outside: a root of its own, whatever the caller claims to continue. */
export const rootCause = (envelopeId: string): EmissionCause => ({
  depth: 0,
  causationId: null,
  correlationId: envelopeId,
});

/** From a run: one deeper than the run, in the run's chain. A run that nobody caused begins a chain here. */
export const runCause = (envelopeId: string, run: Cause): EmissionCause => ({
  depth: run.depth + 1,
  causationId: run.causationId,
  correlationId: run.correlationId ?? run.causationId ?? envelopeId,
});

/** From a data write, which a run may have made or a person. */
export const writeCause = (envelopeId: string, write: Cause): EmissionCause =>
  write.causationId === null ? rootCause(envelopeId) : runCause(envelopeId, write);
