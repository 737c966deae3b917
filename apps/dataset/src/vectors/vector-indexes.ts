import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { DatasetConfig } from '../dataset.config';
import { type VectorChange, VectorRepository } from '../db/vector.repository';
import { IndexHost } from './index-host';
import type { Scored } from './vector-index';

/** One dataset's vectors as this process knows them. */
interface Kept {
  /** Changes of transactions from here on are still to be read. */
  horizon: string;
  generation: number;
  fields: Map<number, { name: string; bytes: number }>;
  busy: Promise<void>;
}

const PAGE = 2000;
const MIB = 1024 * 1024;

/**
 * The vector indexes of this process, each brought up to date before it answers. A dataset is read when it is first
 * searched, and the one that was not searched for longest gives way when the memory is used up.
 */
@Injectable()
export class VectorIndexes implements OnApplicationShutdown {
  private readonly datasets = new Map<string, Kept>();

  constructor(
    private readonly database: Database,
    private readonly config: DatasetConfig,
    private readonly vectors: VectorRepository,
    private readonly host: IndexHost,
  ) {}

  async search(ctx: Ctx, datasetId: string, field: number, query: Float32Array, count: number): Promise<Scored[]> {
    const reply = await this.host.ask({ kind: 'search', index: nameOf(datasetId, field), query, count });
    this.note(ctx, datasetId, field, reply.bytes);
    return reply.hits;
  }

  async searchAmong(
    datasetId: string,
    field: number,
    query: Float32Array,
    ids: string[],
    count: number,
  ): Promise<Scored[]> {
    return (await this.host.ask({ kind: 'searchAmong', index: nameOf(datasetId, field), query, ids, count })).hits;
  }

  /** Takes in what was committed before this call. */
  async refresh(ctx: Ctx, datasetId: string): Promise<void> {
    const key = keyOf(requireSpace(ctx), datasetId);
    let kept = this.datasets.get(key);
    if (kept === undefined) kept = { horizon: '', generation: -1, fields: new Map(), busy: Promise.resolve() };
    // The most recently used come last.
    this.datasets.delete(key);
    this.datasets.set(key, kept);
    const mine = kept;
    const turn = mine.busy.then(() => this.update(ctx, datasetId, mine));
    mine.busy = turn.catch(() => undefined);
    await turn;
    await this.makeRoom(key);
  }

  private async update(ctx: Ctx, datasetId: string, kept: Kept): Promise<void> {
    const spaceId = requireSpace(ctx);
    const isLost = kept.generation !== this.host.generation;
    if (kept.horizon === '' || isLost) {
      kept.fields.clear();
      await this.readAll(ctx, datasetId, kept);
    }
    const { horizon, changes } = await this.database.transaction(ctx, async (tx) => ({
      horizon: await this.vectors.horizon(tx),
      changes: await this.vectors.changedSince(tx, spaceId, datasetId, kept.horizon),
    }));
    await this.take(datasetId, kept, changes);
    kept.horizon = horizon;
  }

  private async readAll(ctx: Ctx, datasetId: string, kept: Kept): Promise<void> {
    const spaceId = requireSpace(ctx);
    // Taken before the first page: what changes while the pages are read is read again after them.
    kept.horizon = await this.database.transaction(ctx, (tx) => this.vectors.horizon(tx));
    let last: VectorChange | null = null;
    for (;;) {
      const after: VectorChange | null = last;
      const page: VectorChange[] = await this.database.transaction(ctx, (tx) =>
        this.vectors.readyAfter(tx, spaceId, datasetId, after, PAGE),
      );
      await this.take(datasetId, kept, page);
      kept.generation = this.host.generation;
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return;
    }
  }

  private async take(datasetId: string, kept: Kept, changes: readonly VectorChange[]): Promise<void> {
    const fields = new Map<number, VectorChange[]>();
    for (const change of changes) {
      const rows = fields.get(change.field);
      if (rows === undefined) fields.set(change.field, [change]);
      else rows.push(change);
    }
    for (const [field, rows] of fields) {
      const index = nameOf(datasetId, field);
      const gone = rows.filter((row) => row.vector === null).map((row) => row.recordId);
      if (gone.length > 0) await this.host.ask({ kind: 'remove', index, ids: gone });
      const present = rows.filter((row): row is VectorChange & { vector: Buffer } => row.vector !== null);
      const dimensions = (present.at(-1)?.vector.byteLength ?? 0) / 4;
      const same = present.filter((row) => row.vector.byteLength === dimensions * 4);
      if (same.length === 0) continue;
      const vectors = new Float32Array(same.length * dimensions);
      same.forEach((row, i) => {
        vectors.set(floatsOf(row.vector), i * dimensions);
      });
      const reply = await this.host.ask({
        kind: 'put',
        index,
        vectors,
        dimensions,
        ids: same.map((row) => row.recordId),
        revisions: same.map((row) => row.revision),
      });
      kept.fields.set(field, { name: index, bytes: reply.bytes });
    }
  }

  private note(ctx: Ctx, datasetId: string, field: number, bytes: number): void {
    const kept = this.datasets.get(keyOf(requireSpace(ctx), datasetId));
    const known = kept?.fields.get(field);
    if (known !== undefined) known.bytes = bytes;
  }

  private async makeRoom(keep: string): Promise<void> {
    const used = (): number =>
      [...this.datasets.values()].reduce(
        (sum, kept) => sum + [...kept.fields.values()].reduce((own, field) => own + field.bytes, 0),
        0,
      );
    for (const [key, kept] of this.datasets) {
      if (key === keep || used() <= this.config.DATASET_VECTOR_MEMORY_MB * MIB) return;
      this.datasets.delete(key);
      for (const field of kept.fields.values()) await this.host.ask({ kind: 'drop', index: field.name });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.host.stop();
  }
}

const keyOf = (spaceId: string, datasetId: string): string => `${spaceId}/${datasetId}`;
const nameOf = (datasetId: string, field: number): string => `${datasetId}/${field}`;

/** The bytes of the database may begin anywhere; floats must begin at a multiple of four. */
export const floatsOf = (bytes: Buffer): Float32Array => {
  const floats = new Float32Array(bytes.byteLength / 4);
  new Uint8Array(floats.buffer).set(bytes.subarray(0, floats.byteLength));
  return floats;
};
