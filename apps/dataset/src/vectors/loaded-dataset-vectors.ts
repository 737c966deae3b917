import { AppError } from '@switchyard/kernel';
import type { VectorChange } from '../db/vectors.repository';
import { floatsOf } from './bytes-to-floats';
import type { IndexThreadClient } from './index-thread-client';
import type { IndexReply, IndexRequest } from './index-messages';
import type { Scored } from './nearest-vectors';
import type { Resident } from './vector-cache-eviction';
import type { VectorSearcher } from './vector-searcher';

/** One dataset's vectors as this process knows them: what is in the thread, and how far it was read. */
export class LoadedDatasetVectors implements Resident, VectorSearcher {
  users = 0;
  /** Whether every vector up to the horizon was read. */
  isLoaded = false;
  isRetired = false;
  /** Changes of transactions from here on are still to be read. */
  horizon = '0';
  loading: Promise<void> | null = null;
  following: Promise<void> = Promise.resolve();
  size = 0;
  private generation = -1;
  private readonly fields = new Map<number, number>();

  constructor(
    readonly spaceId: string,
    readonly datasetId: string,
    private readonly host: IndexThreadClient,
    private readonly onEmpty: (retired: LoadedDatasetVectors) => void,
  ) {}

  get bytes(): number {
    let sum = 0;
    for (const bytes of this.fields.values()) sum += bytes;
    return sum;
  }

  /** False where nothing was read, or the thread that had it has ended. */
  get isCurrentGeneration(): boolean {
    return this.isLoaded && this.generation === this.host.generation;
  }

  hold(): void {
    this.users += 1;
  }

  release(): void {
    this.users -= 1;
    if (this.users === 0 && this.isRetired) this.onEmpty(this);
  }

  /** Takes no more searches; goes when those that use it have ended. */
  retire(): void {
    this.isRetired = true;
    this.isLoaded = false;
  }

  begin(horizon: string): void {
    void this.drop().catch(() => undefined);
    this.isLoaded = false;
    this.horizon = horizon;
    this.generation = this.host.started();
    this.size = 0;
    this.fields.clear();
  }

  async take(changes: readonly VectorChange[]): Promise<void> {
    const fields = new Map<number, VectorChange[]>();
    for (const change of changes) {
      const rows = fields.get(change.field);
      if (rows === undefined) fields.set(change.field, [change]);
      else rows.push(change);
    }
    for (const [field, rows] of fields) await this.takeField(field, rows);
    this.size += changes.length;
  }

  async nearest(field: number, query: Float32Array, count: number): Promise<Scored[]> {
    return this.answered(field, await this.ask({ ...this.nameOf(field), kind: 'search', query, count }));
  }

  async among(field: number, query: Float32Array, ids: string[], count: number): Promise<Scored[]> {
    return this.answered(field, await this.ask({ ...this.nameOf(field), kind: 'searchAmong', query, ids, count }));
  }

  async drop(): Promise<void> {
    this.isLoaded = false;
    const fields = [...this.fields.keys()];
    this.fields.clear();
    // Sent at once: an index of the same name may be begun anew while this waits.
    const { generation } = this;
    await Promise.all(fields.map((field) => this.host.askOf(generation, { ...this.nameOf(field), kind: 'drop' })));
  }

  private async takeField(field: number, rows: readonly VectorChange[]): Promise<void> {
    const removed = rows.filter((row) => row.vector === null).map((row) => row.recordId);
    if (removed.length > 0) this.note(field, await this.ask({ ...this.nameOf(field), kind: 'remove', ids: removed }));
    const present = rows.filter((row): row is VectorChange & { vector: Buffer } => row.vector !== null);
    const dimensions = (present.at(-1)?.vector.byteLength ?? 0) / 4;
    const same = present.filter((row) => row.vector.byteLength === dimensions * 4);
    if (same.length === 0) return;
    const vectors = new Float32Array(same.length * dimensions);
    same.forEach((row, i) => {
      vectors.set(floatsOf(row.vector), i * dimensions);
    });
    const ids = same.map((row) => row.recordId);
    const revisions = same.map((row) => row.revision);
    this.note(field, await this.ask({ ...this.nameOf(field), kind: 'put', vectors, dimensions, ids, revisions }));
  }

  private note(field: number, { bytes }: IndexReply): void {
    if (bytes !== null) this.fields.set(field, bytes);
  }

  /** Of the thread that has these vectors: its successor has only what it was given since. */
  private async ask(request: IndexRequest): Promise<IndexReply> {
    const { generation } = this;
    const reply = await this.host.askOf(generation, request).catch((error: unknown) => {
      if (generation === this.host.generation) throw error;
      return null;
    });
    if (reply === null) throw readAgain();
    return reply;
  }

  /** An answer without what is missing would be wrong. */
  private answered(field: number, reply: IndexReply): Scored[] {
    if (reply.bytes === null && this.fields.has(field)) throw readAgain();
    this.note(field, reply);
    return reply.hits;
  }

  private nameOf(field: number): { spaceId: string; index: string } {
    return { spaceId: this.spaceId, index: `${this.spaceId}/${this.datasetId}/${field}` };
  }
}

const readAgain = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The vectors of this dataset are being read again. Try again shortly.', {
    retryAfterSeconds: 1,
  });
