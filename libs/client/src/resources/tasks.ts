import type { Deleted } from '../api/schemas';
import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type { Execution, NewTask, Run, Task, TaskChanges, TaskSummary, TaskUsage } from '../records/jobs-and-tasks';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface TaskQuery extends PageQuery {
  type?: Task['type'];
  active?: boolean;
  q?: string;
}

export interface ExecutionQuery extends PageQuery {
  status?: Execution['status'];
  from?: string;
  to?: string;
}

export interface ExecutionSearch extends ExecutionQuery {
  taskId?: string;
  trigger?: 'MANUAL' | 'SCHEDULE' | 'EVENT';
}

export class Tasks {
  constructor(private readonly http: Http) {}

  list(query: TaskQuery = {}): Promise<Page<TaskSummary>> {
    return getPage(this.http, '/tasks', query);
  }

  all(query: Omit<TaskQuery, 'cursor'> = {}): AsyncGenerator<TaskSummary> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  get(taskId: string): Promise<Task> {
    return this.http.data({ method: 'GET', path: `/tasks/${taskId}` });
  }

  create(task: NewTask, options: RequestOptions = {}): Promise<Task> {
    return this.http.data({ method: 'POST', path: '/tasks', body: task, ...options });
  }

  /** Replaces the given fields. With `ifVersion` it is refused when the task has changed since. */
  update(taskId: string, changes: TaskChanges, options: { ifVersion?: number } = {}): Promise<Task> {
    const headers: Record<string, string> =
      options.ifVersion === undefined ? {} : { 'if-match': `"${options.ifVersion}"` };
    return this.http.data({ method: 'PUT', path: `/tasks/${taskId}`, body: changes, headers });
  }

  remove(taskId: string): Promise<Deleted> {
    return this.http.data({ method: 'DELETE', path: `/tasks/${taskId}` });
  }

  execute(
    taskId: string,
    request: { inputs?: Record<string, unknown>; idempotencyKey?: string } = {},
  ): Promise<Execution> {
    const { idempotencyKey } = request;
    return this.http.data({ method: 'POST', path: `/tasks/${taskId}/execute`, body: request, idempotencyKey });
  }

  /** Its runs, failures and cost. Times are ISO-8601; without them the last 30 days. */
  usage(taskId: string, query: { from?: string; to?: string } = {}): Promise<TaskUsage> {
    return this.http.data({ method: 'GET', path: `/tasks/${taskId}/usage`, query });
  }

  /** Of one task, or with a query alone of the whole Space. */
  executions(taskId: string, query?: ExecutionQuery): Promise<Page<Execution>>;
  executions(query?: ExecutionSearch): Promise<Page<Execution>>;
  executions(of: string | ExecutionSearch = {}, query: ExecutionQuery = {}): Promise<Page<Execution>> {
    return typeof of === 'string'
      ? getPage(this.http, `/tasks/${of}/executions`, query)
      : getPage(this.http, '/tasks/executions', of);
  }

  /** A new execution of the task as it is now, with the old inputs or with these. */
  rerun(
    executionId: string,
    request: { inputs?: Record<string, unknown>; idempotencyKey?: string } = {},
  ): Promise<Execution> {
    const { idempotencyKey } = request;
    return this.http.data({
      method: 'POST',
      path: `/tasks/executions/${executionId}/rerun`,
      body: request,
      idempotencyKey,
    });
  }

  /**
   * Runs one step alone, for real, with the inputs and step results of this execution: a step of the task by its id, or
   * one that is not saved.
   */
  tryStep(
    executionId: string,
    request: ({ stepId: string } | { step: NewTask['steps'][number] }) & { idempotencyKey?: string },
  ): Promise<Execution> {
    const { idempotencyKey } = request;
    return this.http.data({
      method: 'POST',
      path: `/tasks/executions/${executionId}/try`,
      body: request,
      idempotencyKey,
    });
  }

  execution(executionId: string): Promise<Execution> {
    return this.http.data({ method: 'GET', path: `/tasks/executions/${executionId}` });
  }

  /** The JSON of one field of any length: what a link in a long execution stands for. */
  executionContent(
    executionId: string,
    field: 'inputs' | 'output' | `steps.${string}.${'input' | 'output'}`,
    options: { signal?: AbortSignal } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.http.file({
      method: 'GET',
      path: `/tasks/executions/${executionId}/content`,
      query: { field },
      ...options,
    });
  }

  /** How far an execution is, without what its steps gave. */
  run(executionId: string): Promise<Run> {
    return this.http.data({ method: 'GET', path: `/tasks/runs/${executionId}` });
  }

  cancelExecution(executionId: string): Promise<Execution> {
    return this.http.data({ method: 'POST', path: `/tasks/executions/${executionId}/cancel`, body: {} });
  }

  /** Goes on from the step that failed. */
  retryExecution(executionId: string): Promise<Execution> {
    return this.http.data({ method: 'POST', path: `/tasks/executions/${executionId}/retry`, body: {} });
  }
}
