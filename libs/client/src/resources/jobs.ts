import type { Http } from '../http/http';
import { pause } from '../http/retry-backoff';
import type { Job, JobSummary, JobCallback, JobPhase, NewJob } from '../records/jobs-and-tasks';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

const ENDED: ReadonlySet<JobPhase> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

export interface JobQuery extends PageQuery {
  phase?: JobPhase;
  agentId?: string;
}

export class Jobs {
  constructor(private readonly http: Http) {}

  submit(job: Omit<NewJob, 'type'> & Partial<Pick<NewJob, 'type'>>): Promise<Job> {
    const { idempotencyKey } = job;
    return this.http.data({
      method: 'POST',
      path: '/agent-jobs',
      body: { type: 'AGENT_INVOKE', ...job },
      idempotencyKey,
    });
  }

  get(jobId: string): Promise<Job> {
    return this.http.data({ method: 'GET', path: `/agent-jobs/${jobId}` });
  }

  /** How often the callback was sent, and what was answered; 404 for a job without one. */
  callback(jobId: string): Promise<JobCallback> {
    return this.http.data({ method: 'GET', path: `/agent-jobs/${jobId}/callback` });
  }

  /** The JSON of one field of any length: what a link in a long job stands for. */
  content(
    jobId: string,
    field: 'input' | 'result' | 'metadata',
    options: { signal?: AbortSignal } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.http.file({ method: 'GET', path: `/agent-jobs/${jobId}/content`, query: { field }, ...options });
  }

  list(query: JobQuery = {}): Promise<Page<JobSummary>> {
    return getPage(this.http, '/agent-jobs', query);
  }

  all(query: Omit<JobQuery, 'cursor'> = {}): AsyncGenerator<JobSummary> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  cancel(jobId: string): Promise<Job> {
    return this.http.data({ method: 'POST', path: `/agent-jobs/${jobId}/cancel`, body: {} });
  }

  /** Polls until the job has ended. Leaving off does not cancel it. */
  async finished(jobId: string, options: { signal?: AbortSignal; everyMs?: number } = {}): Promise<Job> {
    for (;;) {
      options.signal?.throwIfAborted();
      const job = await this.get(jobId);
      if (ENDED.has(job.phase)) return job;
      await pause(options.everyMs ?? 1000, options.signal);
    }
  }
}
