import { Injectable } from '@nestjs/common';
import { cleanText, type JsonObject } from '@switchyard/kernel';
import { type Ctx, DatasetCalls, type Evidence, lending } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import type { AgentRecord } from '../domain/stored-agent';
import type { TurnInput } from '../domain/turn-input';

const DEFAULT_TOP_K = 5;
const QUERY_CHARS = 8000;
const TEXT_CHARS = 4000;
const RESERVED = new Set(['id', 'createdAt', 'updatedAt']);

/** The part of a turn that is asked for. */
interface Asking {
  ctx: Ctx;
  agent: Pick<AgentRecord, 'knowledge'>;
  input: Pick<TurnInput, 'query' | 'knowledge'>;
}

/** Looks up what an agent's datasets know of a question, before the model is asked. */
@Injectable()
export class KnowledgeRetrieval {
  constructor(
    private readonly bus: Bus,
    private readonly log: Logger,
  ) {}

  /** A dataset that cannot be searched is left out; the turn goes on without it. */
  async retrieve(spec: Asking, signal: AbortSignal): Promise<Evidence[]> {
    const query = spec.input.query.slice(0, QUERY_CHARS).trim();
    if (query === '' || !spec.input.knowledge) return [];
    const found = await Promise.all(
      spec.agent.knowledge.map(async ({ datasetId, topK, minScore }) => {
        try {
          const { items } = await this.bus.call(DatasetCalls.search, lending(spec.ctx, DatasetCalls.search), {
            datasetId,
            query,
            topK: topK ?? DEFAULT_TOP_K,
            ...(minScore === undefined ? {} : { minScore }),
          });
          return items.map(({ record, score }) => evidenceOf(datasetId, record, score));
        } catch (error) {
          if (!signal.aborted)
            this.log.warn({ err: error, dataset: datasetId }, 'failed to search the knowledge of an agent');
          return [];
        }
      }),
    );
    return found.flat().sort((a, b) => b.score - a.score);
  }
}

function evidenceOf(datasetId: string, record: JsonObject, score: number): Evidence {
  const fields = Object.fromEntries(Object.entries(record).filter(([name]) => !RESERVED.has(name)));
  const text = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
  return {
    dataset_id: datasetId,
    record_id: String(record['id']),
    score,
    text: cleanText(text.slice(0, TEXT_CHARS)),
    fields,
  };
}
