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
    reason: 'Records that one write may touch in a dataset whose writes become events.',
  })
  DATASET_MAX_WATCHED_ROWS!: number;

  @Env(f.int({ min: 1, max: 10_000 }), {
    default: 1_000,
    reason: 'Records of such a write that are in memory at a time.',
  })
  DATASET_WATCHED_PIECE_ROWS!: number;

  @Env(f.int({ min: 1, max: 256 }), {
    default: 16,
    reason: 'MiB of records of such a write that are in memory at a time.',
  })
  DATASET_WATCHED_PIECE_MB!: number;

  @Env(f.int({ min: 0, max: 1_000_000 }), {
    default: 50_000,
    reason: 'Records of an import that is written while its caller waits; a larger one becomes a job.',
  })
  DATASET_IMPORT_DIRECT_ROWS!: number;

  @Env(f.int({ min: 2, max: 32 }), {
    default: 3,
    reason:
      'Imports that one process writes at a time. The Spaces of one payer have all but one of these places at most.',
  })
  DATASET_IMPORT_WORKERS!: number;

  @Env(f.int({ min: 1, max: 10_000 }), {
    default: 100,
    reason: 'Imports of one Space that are sent, wait or are written at a time; one more is refused (429).',
  })
  DATASET_OPEN_IMPORTS!: number;

  @Env(f.oneOf(['auto', 'memory'] as const), {
    default: 'auto',
    reason: 'Where vectors are searched: with pgvector where the database has it (auto), or always in memory.',
  })
  DATASET_VECTOR_INDEX!: 'auto' | 'memory';

  @Env(f.int({ min: 16, max: 1_048_576 }), {
    default: 384,
    reason:
      'MiB of vectors that one process keeps in memory for search. Those of a dataset that does not fit are scanned.',
  })
  DATASET_VECTOR_MEMORY_MB!: number;

  @Env(f.int({ min: 1, max: 100 }), {
    default: 50,
    reason: 'Percent of that memory which one Space keeps while another Space needs room.',
  })
  DATASET_VECTOR_SPACE_SHARE_PERCENT!: number;

  @Env(f.int({ min: 1, max: 512 }), { default: 64, reason: 'Texts that are embedded with one model call.' })
  DATASET_EMBED_BATCH!: number;

  @Env(f.int({ min: 1, max: 36_500 }), {
    default: 90,
    reason: 'How many days the tree of causes shows what a run wrote to datasets. The records themselves stay.',
  })
  DATASET_WRITE_RETENTION_DAYS!: number;

  @Env(f.text({ min: 1, max: 200 }), {
    optional: true,
    reason: 'The embedding model of the catalogue; its first one unless given.',
  })
  DATASET_EMBED_MODEL?: string;
}
