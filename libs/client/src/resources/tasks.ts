import type { Deleted } from '../api/schemas';
import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type { Execution, NewTask, Run, Task, TaskChanges } from '../records/work';
import { everyRow, getPage, type Page, type PageQuery } from './page';

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

export class Tasks {
  constructor(private readonly http: Http) {}

  list(query: TaskQuery = {}): Promise<Page<Task>> {
    return getPage(this.http, '/tasks', query);
  }

  all(query: Omit<TaskQuery, 'cursor'> = {}): AsyncGenerator<Task> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  get(taskId: string): Promise<Task> {
    return this.http.data({ method: 'GET', path: `/tasks/${taskId}` });
  }

  create(task: NewTask, options: RequestOptions = {}): Promise<Task> {
    return this.http.data({ method: 'POST', path: '/tasks', body: task, ...options });
  }

  update(taskId: string, changes: TaskChanges): Promise<Task> {
    return this.http.data({ method: 'PUT', path: `/tasks/${taskId}`, body: changes });
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

  executions(taskId: string, query: ExecutionQuery = {}): Promise<Page<Execution>> {
    return getPage(this.http, `/tasks/${taskId}/executions`, query);
  }

  execution(executionId: string): Promise<Execution> {
    return this.http.data({ method: 'GET', path: `/tasks/executions/${executionId}` });
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
