import { Injectable } from '@nestjs/common';
import { actAs, type Ctx, RelayCalls, serviceCtx } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, backoffMs, fingerprint, poisonPoint, upToEntries } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';
import { Logger, PayerCache, PoisonedWork, SUSPENDED_REST_MS, SpacePolicyCache, Workers } from '@switchyard/service';
import { DatasetConfig } from '../dataset.config';
import { LayoutCache } from '../db/layout-cache';
import { EMBEDDED_CHARACTERS, type TextClaim, VectorsRepository } from '../db/vectors.repository';
import { CrashedImportsAndEmbeddings, TEXT } from '../losses/crashed-imports-and-embeddings';
import { EmbeddingTurns } from './embedding-turns';
import { PgvectorTableSync } from './pgvector-table-sync';

const IDLE_MS = 2000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
interface ClaimedTexts {
  claims: readonly TextClaim[];
  /** A text that lost its process before. */
  isSuspect: boolean;
}

const NO_TEXTS: ClaimedTexts = { claims: [], isSuspect: false };
const RETRY = { baseMs: 500, maxMs: 300_000 };

/**
 * Gives texts their vectors, after the write and apart from it: a model that is away delays a search, never a write.
 */
@Injectable()
export class Embedder {
  readonly wake: () => void;
  private readonly waiting = new Set<() => void>();
  private readonly order = new EmbeddingTurns();
  /** Spaces of this round that had no turn yet. */
  private turns: string[] = [];
  /** Where the next Spaces are looked for. */
  private lastSpace = BEFORE_ALL;
  /** All Spaces with texts had a turn, or one of the same payer had. */
  private isRoundOver = false;
  /** Spaces that were suspended at the last look: their texts are not claimed for a while. */
  private readonly suspended = new LRUCache<string, true>({ ...upToEntries(10_000), ttl: SUSPENDED_REST_MS });
  /** Whether a text was claimed since the round over the Spaces began. */
  private hasClaimed = false;

  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly config: DatasetConfig,
    private readonly layoutCache: LayoutCache,
    private readonly vectors: VectorsRepository,
    private readonly tables: PgvectorTableSync,
    private readonly logger: Logger,
    private readonly poisoned: PoisonedWork,
    private readonly losses: CrashedImportsAndEmbeddings,
    private readonly policies: SpacePolicyCache,
    private readonly payers: PayerCache,
    workers: Workers,
  ) {
    poisoned.add({
      kind: TEXT,
      retry: async (tx, { spaceId, id }) => {
        tx.afterCommit(() => {
          this.wake();
        });
        return spaceId === null ? 'absent' : this.vectors.startAgain(tx, spaceId, id);
      },
    });
    this.wake = workers.poll('embed texts', IDLE_MS, () => this.round(), database.idlePoller.for(vectors.anyPending));
    workers.every('forget vectors of deleted records', 3_600_000, () =>
      this.database.system('forget vectors of deleted records', (tx) => this.vectors.forgetGone(tx)),
    );
  }

  /** Resolves after the next round, or after `mostMs`. */
  nextRound(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, mostMs);
      this.waiting.add(done);
    });
  }

  async embed(ctx: Ctx, texts: string[], requestKey?: string): Promise<Buffer[]> {
    const reply = await this.bus.call(RelayCalls.embed, ctx, {
      model: this.config.DATASET_EMBED_MODEL,
      texts,
      attribution: { source: 'dataset' },
      requestKey,
    });
    return reply.vectors.map((vector) => Buffer.from(vector, 'base64'));
  }

  private async round(): Promise<boolean> {
    const turn = await this.takeTurn();
    if (turn === null) return false;
    const { claims, isSuspect } = turn;
    if (claims.length === 0 || (await this.putBackIfSuspended(claims))) return true;
    const { marks } = this.poisoned;
    const embed = (): Promise<void> => this.embedClaims(claims);
    try {
      await (isSuspect ? marks.alone(embed, 'texts') : marks.fresh(embed));
    } catch (error) {
      await this.postpone(claims, error);
    } finally {
      for (const done of this.waiting) done();
    }
    return true;
  }

  /** Payers take turns, a batch each, however many Spaces and texts one of them has waiting. Null when nothing waits. */
  private async takeTurn(): Promise<ClaimedTexts | null> {
    if (this.turns.length === 0) {
      const isIdle = this.isRoundOver && !this.hasClaimed;
      if (this.isRoundOver) this.hasClaimed = false;
      this.isRoundOver = false;
      // In a whole round none had a text that is due: texts that wait for a retry are checked after a pause.
      if (isIdle) return null;
      await this.beginTurns();
    }
    const spaceId = this.turns.shift();
    if (spaceId === undefined) return this.isRoundOver ? this.takeTurn() : NO_TEXTS;
    const claimed = await this.database.system('claim texts to embed', (tx) => this.claim(tx, spaceId));
    this.hasClaimed ||= claimed.claims.length > 0;
    return claimed;
  }

  /** One Space of each payer, of the next Spaces with texts. */
  private async beginTurns(): Promise<void> {
    const { spaces, last } = await this.database.system('find Spaces with texts', (tx) =>
      this.vectors.dueSpaces(tx, this.lastSpace),
    );
    this.isRoundOver = last === null;
    this.lastSpace = last ?? BEFORE_ALL;
    const due = spaces.filter((spaceId) => !this.suspended.has(spaceId));
    // Spaces of one payer must not pass for several.
    await this.payers.know(due);
    this.turns = this.order.next(due, this.payers.of);
  }

  private async claim(tx: Tx, spaceId: string): Promise<ClaimedTexts> {
    await this.losses.count(tx);
    const next = await this.vectors.firstDue(tx, spaceId);
    if (next === null || this.suspended.has(spaceId)) return NO_TEXTS;
    const { isCareful } = next;
    const { embedder, importer } = this.losses;
    const isSuspect = (next.isSuspect || isCareful) && (await this.vectors.mayRunAlone(tx, importer.worker));
    if (isCareful && !isSuspect) return NO_TEXTS;
    const limit = isSuspect ? 1 : this.config.DATASET_EMBED_BATCH;
    return { claims: await this.vectors.claim(tx, spaceId, { limit, isSuspect, worker: embedder }), isSuspect };
  }

  /** True if the Space may not go on: its texts wait, and that was no attempt. */
  private async putBackIfSuspended(claims: readonly TextClaim[]): Promise<boolean> {
    const [first] = claims;
    if (first === undefined || (await this.policies.statusOf(first.spaceId)) === 'ACTIVE') return false;
    this.suspended.set(first.spaceId, true);
    await this.database.inSpace(first.spaceId, (tx) => this.vectors.putBack(tx, claims, SUSPENDED_REST_MS));
    return true;
  }

  private async embedClaims(claims: readonly TextClaim[]): Promise<void> {
    const [first] = claims;
    if (first === undefined) return;
    const texts = await this.database.inSpace(first.spaceId, async (tx) => {
      const layout = await this.layoutCache.get(tx, first.spaceId, first.datasetId);
      return this.vectors.texts(tx, layout, first.spaceId, claims);
    });
    for (const text of texts) poisonPoint('dataset.embedding', text);
    const requested = texts.filter((text): text is string => text !== null && text.trim() !== '');
    const ctx = actAs(serviceCtx('dataset'), { spaceId: first.spaceId, userId: first.actor });
    const key = fingerprint(claims.map((claim) => [claim.recordId, claim.field, claim.revision]));
    const found = requested.length === 0 ? [] : await this.embed(ctx, requested.map(embeddable), `dataset-${key}`);
    let next = 0;
    const vectors = texts.map((text) => (text === null || text.trim() === '' ? null : (found[next++] ?? null)));
    await this.database.inSpace(first.spaceId, (tx) => this.vectors.store(tx, claims, vectors));
    await this.index(first.spaceId, first.datasetId);
  }

  /** The vectors are stored even if this fails: a search synchronizes late ones. */
  private async index(spaceId: string, datasetId: string): Promise<void> {
    try {
      await this.tables.catchUp(spaceId, datasetId, 4);
    } catch (error) {
      this.logger.warn({ err: error, datasetId }, 'vectors are stored and not yet in their table');
    }
  }

  private async postpone(claims: readonly TextClaim[], error: unknown): Promise<void> {
    const [first] = claims;
    if (first === undefined) return;
    const why =
      error instanceof AppError
        ? { code: error.code, message: error.message }
        : { code: 'SERVER_ERROR', message: 'The text could not be embedded.' };
    this.logger.warn(
      { err: error, datasetId: first.datasetId, code: why.code, attempts: first.attempts },
      'failed to embed texts; retrying',
    );
    const delayMs = backoffMs(Math.max(...claims.map((claim) => claim.attempts)), RETRY);
    await this.database.inSpace(first.spaceId, (tx) => this.vectors.postpone(tx, claims, delayMs, why));
  }
}

const embeddable = (text: string): string => text.slice(0, EMBEDDED_CHARACTERS).toWellFormed();
