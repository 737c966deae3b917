import type { Database } from '@switchyard/database';
import { AppError, SharedGroups } from '@switchyard/kernel';
import type { EmissionsRepository } from '../db/emissions.repository';
import { inOrder } from '../domain/emission-key';
import type { CheckedEmission, NewEmission } from '../domain/new-emission';

const GROUPS = { items: 256, owners: 256, bytes: 4 * 1024 * 1024, atOnce: 1, apartMs: 10_000 };

/**
 * `left out`: it was recorded before, or fits its registration no more. `failed`: it, or one that came with it, cannot be
 * stored. Either way it is to be looked at by itself.
 */
type Outcome = 'recorded' | 'left out' | 'failed';

/**
 * Records emissions of all Spaces that come at the same time in one statement, where nothing stands in their way.
 */
export class KnownEmissions {
  private readonly groups = new SharedGroups<CheckedEmission, Outcome>((items) => this.write(items), GROUPS);

  constructor(
    private readonly database: Database,
    private readonly emissions: EmissionsRepository,
    private readonly recorded: (emissions: readonly NewEmission[]) => Promise<void>,
  ) {}

  record(emission: CheckedEmission): Promise<Outcome> {
    return this.groups.add(emission.spaceId, emission, emission.bytes);
  }

  /** Something of this Space cannot be stored: for a while, nothing of others comes with what it emits. */
  part(spaceId: string): void {
    this.groups.part(spaceId);
  }

  private async write(emissions: readonly CheckedEmission[]): Promise<Outcome[]> {
    try {
      const ids = await this.emissions.recordKnown(this.database, emissions.toSorted(inOrder));
      await this.recorded(emissions.filter(({ id }) => ids.has(id)));
      return emissions.map(({ id }) => (ids.has(id) ? 'recorded' : 'left out'));
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') throw error;
      // Whatever of it was recorded all the same is found by its id.
      return emissions.map(() => 'failed');
    }
  }
}
