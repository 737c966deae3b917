import { Injectable } from '@nestjs/common';
import { type Ctx, type ExecutionContent, type ExecutionView, requireSpace } from '@switchyard/contracts';
import { type ContentPart, Database, type Tx, readContent } from '@switchyard/database';
import { AppError, RECORD_BYTES, fieldsToLink, jsonBytes, linkedField } from '@switchyard/kernel';
import { ExecutionContentsRepository } from '../db/execution-contents.repository';
import type { ExecutionRow } from '../db/executions.repository';
import { executionView, withLinks } from './execution-view';

const LONG_FIELDS = ['inputs', 'output'];

function existing(row: ExecutionRow | null): ExecutionRow {
  if (!row) throw new AppError('NOT_FOUND', 'Execution not found');
  return row;
}

/** Single executions of any length: parts that are too long for one response are linked, and read separately. */
@Injectable()
export class ExecutionReading {
  constructor(
    private readonly database: Database,
    private readonly contents: ExecutionContentsRepository,
  ) {}

  async get(tx: Tx, spaceId: string, executionId: string): Promise<ExecutionView> {
    const sizes = await this.contents.sizes(tx, spaceId, executionId);
    const trigger = sizes.find(({ field }) => field === 'trigger')?.bytes ?? 0;
    const fields = sizes.filter(({ field }) => field !== 'trigger');
    const linked = fieldsToLink(fields, RECORD_BYTES - trigger);
    const row = existing(await this.contents.findWithout(tx, spaceId, executionId, [...linked]));
    const view = executionView(row, await this.contents.stepsWithout(tx, spaceId, executionId, [...linked]));
    const path = `/api/tasks/executions/${executionId}`;
    const links = fields.filter(({ field }) => linked.has(field));
    return withLinks(view, new Map(links.map((size) => [size.field, linkedField(path, size)])));
  }

  /** As `get`, of one that has just been recorded: no step of it has run. */
  ofNew(tx: Tx, row: ExecutionRow): Promise<ExecutionView> {
    // The database writes JSON with spaces, at most half as long again, and the view repeats the trigger.
    return jsonBytes(row.inputs, RECORD_BYTES / 2) > RECORD_BYTES / 2
      ? this.get(tx, row.spaceId, row.id)
      : Promise.resolve(executionView(row, []));
  }

  content(ctx: Ctx, { executionId, field }: ExecutionContent): AsyncGenerator<Uint8Array> {
    const spaceId = requireSpace(ctx);
    const part = async (tx: Tx, offset: number): Promise<ContentPart | null> => {
      const found = await this.contents.part(tx, spaceId, executionId, field, offset);
      if (!found && offset === 0) existing(await this.contents.findWithout(tx, spaceId, executionId, LONG_FIELDS));
      return found;
    };
    return readContent((offset) => this.database.transaction(ctx, (tx) => part(tx, offset)), ctx.signal);
  }
}
