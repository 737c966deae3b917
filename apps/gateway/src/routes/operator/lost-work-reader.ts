import { Injectable } from '@nestjs/common';
import {
  type CallContract,
  type Ctx,
  DEFAULT_PAGE,
  type Items,
  LOST_WORK_OWNERS,
  type LostWorkCalls,
  type LostWorkSlice,
  type Page,
} from '@switchyard/contracts';
import { AppError, decodeCursor, encodeCursor, isId, notACursor } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';

type Owner = [service: string, calls: LostWorkCalls];

const OWNERS = Object.entries(LOST_WORK_OWNERS) as Owner[];

interface PageQuery {
  limit?: number;
  cursor?: string;
  kind?: string;
}

/** A page over all services, and those of them that did not answer. */
export interface GatheredPage<Row> extends Page<Row> {
  silent: string[];
}

/** Merges the services' lists for operators. An unavailable service does not hide the others. */
@Injectable()
export class LostWorkReader {
  constructor(private readonly bus: Bus) {}

  async list<Row extends { id: string }>(
    ctx: Ctx,
    list: string,
    { limit = DEFAULT_PAGE, cursor, kind }: PageQuery,
    { of, at }: { of: (calls: LostWorkCalls) => CallContract<LostWorkSlice, Items<Row>>; at: (row: Row) => string },
  ): Promise<GatheredPage<Row>> {
    const slice: LostWorkSlice = { limit: limit + 1, ...(kind === undefined ? {} : { kind }), ...after(list, cursor) };
    const { rows, silent } = await this.ask(ctx, (calls) => of(calls), slice);
    rows.sort((a, b) => (at(a) === at(b) ? (a.id < b.id ? 1 : -1) : at(a) < at(b) ? 1 : -1));
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const nextCursor = rows.length > limit && last ? encodeCursor(list, [at(last), last.id]) : null;
    return { items, nextCursor, silent };
  }

  /** Of all services that have it: the rows that were changed. NOT_FOUND where none has. */
  async change<Req extends { id: string }, Row extends object>(
    ctx: Ctx,
    what: string,
    request: Req,
    of: (calls: LostWorkCalls) => CallContract<Req, Items<Row>>,
  ): Promise<Row> {
    const { rows, silent, refusal } = await this.ask(ctx, of, request);
    const [first] = rows;
    if (first) return first;
    if (refusal) throw refusal;
    if (silent.length > 0)
      throw new AppError('SERVICE_UNAVAILABLE', `${what} may be at ${silent.join(', ')}, which did not answer.`, {
        retryAfterSeconds: 1,
      });
    throw new AppError('NOT_FOUND', `${what} not found`);
  }

  private async ask<Req extends object, Row extends object>(
    ctx: Ctx,
    of: (calls: LostWorkCalls) => CallContract<Req, Items<Row>>,
    request: Req,
  ): Promise<{ rows: Row[]; silent: string[]; refusal?: AppError }> {
    const answers = await Promise.all(
      OWNERS.map(([service, calls]) =>
        this.bus.call(of(calls), ctx, request).then(
          ({ items }) => ({ service, items, error: null }),
          (error: unknown) => ({ service, items: [] as Row[], error }),
        ),
      ),
    );
    const isSilent = (error: unknown): boolean => error instanceof AppError && error.status >= 500;
    const failed = answers.filter(({ error }) => error !== null);
    if (failed.length === answers.length && failed.every(({ error }) => isSilent(error))) throw failed[0]?.error;
    const refusal = failed.map(({ error }) => error).find((error) => error instanceof AppError && error.status < 500);
    return {
      rows: answers.flatMap(({ items }) => items),
      silent: failed.filter(({ error }) => isSilent(error)).map(({ service }) => service),
      ...(refusal instanceof AppError ? { refusal } : {}),
    };
  }
}

function after(list: string, cursor: string | undefined): { beforeAt?: string; beforeId?: string } {
  if (cursor === undefined) return {};
  const [beforeAt, beforeId, ...more] = decodeCursor(list, cursor);
  if (typeof beforeAt !== 'string' || Number.isNaN(Date.parse(beforeAt)) || !isId(beforeId) || more.length > 0)
    throw notACursor();
  return { beforeAt, beforeId };
}
