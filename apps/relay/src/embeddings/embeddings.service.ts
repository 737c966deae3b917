import { Injectable } from '@nestjs/common';
import { Ctx, EmbedReply, EmbedRequest } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { CatalogueStore } from '../catalogue/catalogue-store';
import { refusalOf } from '../completions/completions.service';
import { readVectors } from '../domain/embedding-response';
import { unavailable } from '../domain/upstream-error';
import { findUsage } from '../domain/upstream-usage';
import { CallAdmission } from '../metering/call-admission';
import { ReservedUpstream } from '../upstream/reserved-upstream';

@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly admission: CallAdmission,
    private readonly upstreams: ReservedUpstream,
    private readonly catalogue: CatalogueStore,
  ) {}

  async embed(ctx: Ctx, request: EmbedRequest): Promise<EmbedReply> {
    const modelId = request.model ?? this.catalogue.current.defaultEmbedding;
    if (modelId === null) throw new AppError('NOT_FOUND', 'This deployment has no embedding model.');
    // Upstreams refuse an empty text; a space says as little.
    const input = request.texts.map((text) => (text === '' ? ' ' : text));
    const call = await this.admission.admit(ctx, {
      modelId,
      prompt: input,
      operation: 'embeddings',
      attribution: request.attribution,
      requestKey: request.requestKey,
    });
    try {
      const opened = await this.upstreams.open(
        call,
        ({ upstreamModel }) => ({
          spaceId: ctx.spaceId,
          method: 'POST',
          path: 'embeddings',
          query: '',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify({ model: upstreamModel, input, encoding_format: 'base64' }),
          expects: 'json',
        }),
        ctx.signal,
      );
      const { candidate } = opened;
      const vectors = opened.kind === 'json' ? readVectors(opened.json, input.length) : null;
      if (!vectors) throw unavailable(new Error('the upstream did not answer with one vector per text'));
      const usage = opened.kind === 'json' ? findUsage(opened.json) : null;
      const paid = await call.settle({ candidate, usage, written: [], outcome: 'completed' });
      return { model: candidate.model.id, dimensions: vectors.dimensions, vectors: vectors.base64, usage: paid };
    } catch (error) {
      throw refusalOf(error);
    } finally {
      await call.release();
    }
  }
}
