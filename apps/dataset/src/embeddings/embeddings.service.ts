import { Injectable } from '@nestjs/common';
import { type Ctx, type EmbeddingsRetried, type EmbeddingsView, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { EmbeddingsRepository } from '../db/embeddings.repository';
import { LayoutCache } from '../db/layout-cache';
import { retryOnDeadlock } from '../db/retry-on-deadlock';
import { VectorsRepository } from '../db/vectors.repository';
import { Embedder } from '../vectors/embedder';

const MAX_COUNTED = 100_000;
const MAX_SHOWN = 50;
const MAX_RETRIED = 10_000;

/** Texts without a vector yet, and why. */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly database: Database,
    private readonly layoutCache: LayoutCache,
    private readonly vectors: VectorsRepository,
    private readonly embeddings: EmbeddingsRepository,
    private readonly embedder: Embedder,
  ) {}

  get(ctx: Ctx, datasetId: string): Promise<EmbeddingsView> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const layout = await this.layoutCache.get(tx, spaceId, datasetId);
      const waiting = this.vectors.pending(spaceId, datasetId, MAX_COUNTED);
      const { pending, failed } = await this.embeddings.count(tx, waiting);
      const failures = failed === 0 ? [] : await this.embeddings.listFailed(tx, spaceId, datasetId, MAX_SHOWN);
      const names = new Map(layout.columns.map((column) => [column.number, column.name]));
      return {
        pending,
        failed,
        failures: failures.map(({ recordId, field, attempts, error, retryAt }) => ({
          recordId,
          field: names.get(field) ?? '',
          attempts,
          code: error?.code ?? null,
          message: error?.message ?? null,
          retryAt,
        })),
      };
    });
  }

  /** Texts being embedded now are embedded twice: the first vector is stored. */
  retry(ctx: Ctx, datasetId: string): Promise<EmbeddingsRetried> {
    const spaceId = requireSpace(ctx);
    return retryOnDeadlock(() =>
      this.database.transaction(ctx, async (tx) => {
        await this.layoutCache.get(tx, spaceId, datasetId);
        const retried = await this.embeddings.retry(tx, spaceId, datasetId, MAX_RETRIED);
        tx.afterCommit(() => {
          this.embedder.wake();
        });
        return { retried };
      }),
    );
  }
}
