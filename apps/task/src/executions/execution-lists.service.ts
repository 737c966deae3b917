import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type ExecutionView,
  type ListExecutions,
  type Page,
  type SearchExecutions,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { PAGE_BYTES } from '@switchyard/kernel';
import { EXECUTION_LIST, ExecutionSearchRepository, type ListedExecution } from '../db/execution-search.repository';
import type { StepRow } from '../db/steps.repository';
import { TasksService } from '../tasks/tasks.service';
import { executionView } from './execution-view';

/** Executions of a task or of the whole Space. Long values are left out; the single record has them. */
@Injectable()
export class ExecutionListsService {
  constructor(
    private readonly database: Database,
    private readonly executions: ExecutionSearchRepository,
    private readonly tasks: TasksService,
  ) {}

  listOfTask(ctx: Ctx, filter: ListExecutions): Promise<Page<ExecutionView>> {
    return this.database.transaction(ctx, async (tx) => {
      await this.tasks.need(tx, ctx, filter.taskId);
      return this.page(tx, requireSpace(ctx), filter);
    });
  }

  search(ctx: Ctx, filter: SearchExecutions): Promise<Page<ExecutionView>> {
    return this.database.transaction(ctx, (tx) => this.page(tx, requireSpace(ctx), filter));
  }

  private async page(tx: Tx, spaceId: string, filter: SearchExecutions): Promise<Page<ExecutionView>> {
    const window = EXECUTION_LIST.windowOf(filter);
    const rows = await this.executions.search(tx, spaceId, filter, window);
    const ids = rows.map(({ id }) => id);
    const bytes = new Map(
      (await this.executions.stepBytes(tx, spaceId, ids)).map((row) => [row.executionId, row.bytes]),
    );
    let remaining = PAGE_BYTES;
    const fits = rows.filter(({ id }, at) => (remaining -= bytes.get(id) ?? 0) >= 0 || at === 0);
    const shown = ids.slice(0, fits.length);
    const steps = stepsByExecution(await this.executions.steps(tx, spaceId, shown));
    return EXECUTION_LIST.pageOf(fits, window, (row) => listedView(row, steps.get(row.id) ?? []), rows.length);
  }
}

function stepsByExecution(rows: readonly StepRow[]): Map<string, StepRow[]> {
  const byId = new Map<string, StepRow[]>();
  for (const row of rows) {
    const existing = byId.get(row.executionId);
    if (existing) existing.push(row);
    else byId.set(row.executionId, [row]);
  }
  return byId;
}

const listedView = (row: ListedExecution, steps: readonly StepRow[]): ExecutionView => ({
  ...executionView(row, steps),
  trigger: row.kind === 'EVENT' ? row.listedTrigger : null,
});
