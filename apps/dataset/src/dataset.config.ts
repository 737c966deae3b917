import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class DatasetConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 0 }), {
    default: 10_000_000,
    reason: 'Records that the datasets of a Space may hold together, unless an operator has set its ceiling `records`.',
  })
  SPACE_MAX_RECORDS!: number;

  @Env(f.int({ min: 0, max: 8_388_608 }), {
    default: 51_200,
    reason: 'MiB that the records of a Space may have, unless an operator has set its ceiling `bytes`.',
  })
  SPACE_MAX_MB!: number;

  @Env(f.int({ min: 1, max: 1_000_000 }), {
    default: 10_000,
    reason: 'Records that one write may change in a watched dataset (one whose changes are sent as events).',
  })
  DATASET_MAX_WATCHED_ROWS!: number;

  @Env(f.int({ min: 1, max: 10_000 }), {
    default: 1_000,
    reason: 'Records that a write to a watched dataset has in memory at a time.',
  })
  DATASET_WATCHED_PIECE_ROWS!: number;

  @Env(f.int({ min: 1, max: 256 }), {
    default: 16,
    reason: 'MiB of records that a write to a watched dataset has in memory at a time.',
  })
  DATASET_WATCHED_PIECE_MB!: number;

  @Env(f.int({ min: 0, max: 1_000_000 }), {
    default: 50_000,
    reason:
      'The largest import, in records, that is written while the caller waits. A larger one runs in the background.',
  })
  DATASET_IMPORT_DIRECT_ROWS!: number;

  @Env(f.int({ min: 2, max: 32 }), {
    default: 3,
    reason: 'Imports that one process runs at a time. At most all but one of them can belong to the same payer.',
  })
  DATASET_IMPORT_WORKERS!: number;

  @Env(f.int({ min: 1, max: 10_000 }), {
    default: 100,
    reason: 'Unfinished imports that one Space may have. Above it, imports get 429.',
  })
  DATASET_OPEN_IMPORTS!: number;

  @Env(f.oneOf(['auto', 'memory'] as const), {
    default: 'auto',
    reason:
      'Where vectors are searched. `auto`: in the database if it has pgvector, otherwise in memory. `memory`: always in memory.',
  })
  DATASET_VECTOR_INDEX!: 'auto' | 'memory';

  @Env(f.int({ min: 16, max: 1_048_576 }), {
    default: 384,
    reason:
      'MiB of vectors that one process caches for search in memory. A dataset that does not fit is scanned in the database, which is slower.',
  })
  DATASET_VECTOR_MEMORY_MB!: number;

  @Env(f.int({ min: 1, max: 100 }), {
    default: 50,
    reason: 'Percent of DATASET_VECTOR_MEMORY_MB that one Space may use while other Spaces need memory.',
  })
  DATASET_VECTOR_SPACE_SHARE_PERCENT!: number;

  @Env(f.int({ min: 1, max: 512 }), { default: 64, reason: 'Texts that are embedded with one model call.' })
  DATASET_EMBED_BATCH!: number;

  @Env(f.int({ min: 1, max: 36_500 }), {
    default: 90,
    reason:
      'Days for which the causes of a record show the dataset writes of executions and turns. The records themselves stay.',
  })
  DATASET_WRITE_RETENTION_DAYS!: number;

  @Env(f.text({ min: 1, max: 200 }), {
    optional: true,
    reason: 'The model of the catalogue that embeds texts. By default, the first embedding model.',
  })
  DATASET_EMBED_MODEL?: string;
}
