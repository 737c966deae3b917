import type { SpacePolicyCache } from '@switchyard/service';
import type { DatasetConfig } from '../src/dataset.config';
import { SpaceStorageRepository } from '../src/db/space-storage.repository';
import { StorageQuota } from '../src/storage/storage-quota';

/** For services that run without a platform: no Space has ceilings of its own. */
export const unlimitedStorage = (): StorageQuota => limitedStorage(1_000_000_000);

export const limitedStorage = (records: number): StorageQuota =>
  new StorageQuota(
    { SPACE_MAX_RECORDS: records, SPACE_MAX_MB: 1_000_000 } as DatasetConfig,
    {
      ceilingsOf: () => Promise.resolve(undefined),
      ceilingOf: () => Promise.resolve(null),
    } as unknown as SpacePolicyCache,
    new SpaceStorageRepository(),
  );

/** Of a database without a key service: no Space is suspended. */
export const activeSpaces = { statusOf: () => Promise.resolve('ACTIVE') } as unknown as SpacePolicyCache;
