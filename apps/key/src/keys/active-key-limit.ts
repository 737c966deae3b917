import { Injectable } from '@nestjs/common';
import { type Tx, requireBelowCeiling } from '@switchyard/database';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { SpacesRepository } from '../db/spaces.repository';

/** How many active keys a Space may have, those of applications among them. */
@Injectable()
export class ActiveKeyLimit {
  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly spaces: SpacesRepository,
  ) {}

  /** For one more active key, made or brought back to life. */
  async requireFreeSlot(tx: Tx, spaceId: string): Promise<void> {
    const ceiling = (await this.spaces.find(tx, spaceId))?.ceilings.keys ?? null;
    const count = (): Promise<number> => this.apiKeys.countActiveOfSpace(tx, spaceId);
    await requireBelowCeiling(tx, { spaceId, name: 'keys', ceiling, count });
  }
}
