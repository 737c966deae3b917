import { type Database, isRolledBack } from '@switchyard/database';
import { Batcher } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import type { EmissionsRepository } from '../db/emissions.repository';
import { inOrder } from '../domain/emission-key';
import type { CheckedEmission, NewEmission } from '../domain/new-emission';

const LIMITS = { items: 256, bytes: 4 * 1024 * 1024 };
const SHARED = { owners: 256, isolatedMs: 10_000 };

/**
 * `left out`: it was recorded before, or fits its registration no more. `failed`: it, or one that came with it, cannot be
 * stored. Either way it is to be looked at by itself.
 */
type FastPathOutcome = 'recorded' | 'left out' | 'failed';

/**
 * Records emissions of all Spaces that come at the same time in one statement, where nothing stands in their way.
 */
export class FastPathRecorder {
  private readonly batches;

  constructor(
    private readonly database: Database,
    private readonly emissions: EmissionsRepository,
    private readonly recorded: (emissions: readonly NewEmission[]) => Promise<void>,
    atOnce = 2,
  ) {
    this.batches = new Batcher<CheckedEmission, FastPathOutcome>((items) => this.write(items), {
      ...LIMITS,
      shared: { ...SHARED, atOnce },
    });
  }

  record(emission: CheckedEmission): Promise<FastPathOutcome> {
    return this.batches.add(emission.spaceId, emission, emission.bytes);
  }

  /** For a while, emissions of this Space are batched alone. */
  isolate(spaceId: string): void {
    this.batches.isolate(spaceId);
  }

  private async write(emissions: readonly CheckedEmission[]): Promise<FastPathOutcome[]> {
    try {
      const ids = await this.emissions.recordFast(this.database, emissions.toSorted(inOrder));
      await this.recorded(emissions.filter(({ id }) => ids.has(id)));
      return emissions.map(({ id }) => (ids.has(id) ? 'recorded' : 'left out'));
    } catch (error) {
      const isUnavailable = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' && !isRolledBack(error);
      if (isUnavailable) throw error;
      // If some were recorded all the same, the careful way finds them by their ids.
      return emissions.map(() => 'failed');
    }
  }
}
