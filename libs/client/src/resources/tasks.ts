import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type { Execution, NewTask, Task } from '../records/work';
import { getPage, type Page, type PageQuery } from './page';

export class Tasks {
  constructor(private readonly http: Http) {}

  list(query: PageQuery = {}): Promise<Page<Task>> {
    return getPage(this.http, '/tasks', query);
  }

  get(taskId: string): Promise<Task> {
    return this.http.data({ method: 'GET', path: `/tasks/${taskId}` });
  }

  create(task: NewTask, options: RequestOptions = {}): Promise<Task> {
    return this.http.data({ method: 'POST', path: '/tasks', body: task, ...options });
  }

  update(taskId: string, changes: Partial<NewTask>): Promise<Task> {
    return this.http.data({ method: 'PUT', path: `/tasks/${taskId}`, body: changes });
  }

  remove(taskId: string): Promise<{ id: string; deleted: boolean }> {
    return this.http.data({ method: 'DELETE', path: `/tasks/${taskId}` });
  }

  execute(
    taskId: string,
    request: { inputs?: Record<string, unknown>; idempotencyKey?: string } = {},
  ): Promise<Execution> {
    const { idempotencyKey } = request;
    return this.http.data({ method: 'POST', path: `/tasks/${taskId}/execute`, body: request, idempotencyKey });
  }

  executions(taskId: string, query: PageQuery & { status?: Execution['status'] } = {}): Promise<Page<Execution>> {
    return getPage(this.http, `/tasks/${taskId}/executions`, query);
  }

  execution(executionId: string): Promise<Execution> {
    return this.http.data({ method: 'GET', path: `/tasks/executions/${executionId}` });
  }

  cancelExecution(executionId: string): Promise<Execution> {
    return this.http.data({ method: 'POST', path: `/tasks/executions/${executionId}/cancel`, body: {} });
  }

  /** Goes on from the step that failed. */
  retryExecution(executionId: string): Promise<Execution> {
    return this.http.data({ method: 'POST', path: `/tasks/executions/${executionId}/retry`, body: {} });
  }
}
