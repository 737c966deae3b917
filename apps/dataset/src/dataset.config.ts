import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class DatasetConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 1, max: 1_000_000 }), {
    default: 10_000,
    reason: 'Records that one write may touch in a dataset whose writes become events.',
  })
  DATASET_MAX_WATCHED_ROWS!: number;

  @Env(f.int({ min: 0, max: 1_000_000 }), {
    default: 50_000,
    reason: 'Records of an import that is written while its caller waits; a larger one becomes a job.',
  })
  DATASET_IMPORT_DIRECT_ROWS!: number;

  @Env(f.oneOf(['auto', 'memory'] as const), {
    default: 'auto',
    reason: 'Where vectors are searched: with pgvector where the database has it (auto), or always in memory.',
  })
  DATASET_VECTOR_INDEX!: 'auto' | 'memory';

  @Env(f.int({ min: 16, max: 1_048_576 }), {
    default: 1024,
    reason: 'MiB of vectors that one process keeps in memory for search.',
  })
  DATASET_VECTOR_MEMORY_MB!: number;

  @Env(f.int({ min: 1, max: 512 }), { default: 64, reason: 'Texts that are embedded with one model call.' })
  DATASET_EMBED_BATCH!: number;

  @Env(f.int({ min: 100, max: 60_000 }), {
    default: 8000,
    reason: 'Milliseconds that a vector search waits for texts that were just written.',
  })
  DATASET_EMBED_WAIT_MS!: number;

  @Env(f.text({ min: 1, max: 200 }), {
    optional: true,
    reason: 'The embedding model of the catalogue; its first one unless given.',
  })
  DATASET_EMBED_MODEL?: string;
}
