import { defineCall, defineSignal } from '../define/define-contracts';
import { Nothing, listOf, pageOf } from '../define/common-shapes';
import { QueuedOfSpace } from '../gateway/space-usage';
import { JobById, ListJobs, StopJob, SubmitJob } from './job-requests';
import { JobCallbackView, JobSummary, JobView } from './job-view';

export const JobCalls = {
  submit: defineCall({
    subject: 'job.submit',
    request: SubmitJob,
    reply: JobView,
    errors: ['NOT_FOUND'],
    idempotent: 'body',
    access: { scope: 'jobs:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  list: defineCall({
    subject: 'job.list',
    request: ListJobs,
    reply: pageOf(JobSummary),
    access: { scope: 'jobs:read' },
    callers: ['gateway'],
    http: {
      name: 'listJobs',
      method: 'GET',
      path: '/agent-jobs',
      summary: 'List jobs',
      description: 'Your own; ADMIN and up see all of the Space.',
      message: 'Jobs.',
    },
  }),
  get: defineCall({
    subject: 'job.get',
    request: JobById,
    reply: JobView,
    errors: ['NOT_FOUND'],
    access: { scope: 'jobs:read' },
    callers: ['gateway'],
    http: {
      name: 'getJob',
      method: 'GET',
      path: '/agent-jobs/:jobId',
      summary: 'Read a job',
      description:
        'All of it up to 8 MiB; beyond that its longest fields are `{truncated: true, bytes, content}`, and a GET of `content` has the field.',
      message: 'The job.',
    },
    tool: {
      name: 'get_job',
      title: 'Read a job',
      description: 'Phase, progress, result or error of a background job.',
      readOnly: true,
    },
  }),
  getCallback: defineCall({
    subject: 'job.get-callback',
    request: JobById,
    reply: JobCallbackView,
    errors: ['NOT_FOUND'],
    access: { scope: 'jobs:read' },
    callers: ['gateway'],
    http: {
      name: 'getJobCallback',
      method: 'GET',
      path: '/agent-jobs/:jobId/callback',
      summary: "Read the state of a job's callback",
      description: 'How often it was sent and what was answered. 404 for a job without `callbackUrl`.',
      message: 'The callback.',
    },
  }),
  cancel: defineCall({
    subject: 'job.cancel',
    request: JobById,
    reply: JobView,
    errors: ['NOT_FOUND', 'JOB_FINISHED'],
    access: { scope: 'jobs:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'cancelJob',
      method: 'POST',
      path: '/agent-jobs/:jobId/cancel',
      summary: 'Cancel a job',
      description:
        'A running job is CANCELLING until its turn has stopped. Asking again changes nothing; a job that has ended otherwise is 409.',
      message: 'Cancellation requested.',
    },
    tool: {
      name: 'cancel_job',
      title: 'Cancel a job',
      description: 'Asks a background job to stop.',
      destructive: true,
      idempotent: true,
    },
  }),
  /** Spaces with the longest queues. */
  topQueued: defineCall({
    subject: 'job.top-queued',
    request: Nothing,
    reply: listOf(QueuedOfSpace),
    access: 'internal',
    callers: ['gateway'],
  }),
};

export const JobSignals = {
  /** Only speeds up a cancellation: the worker sees it at its next heartbeat anyway. */
  stop: defineSignal({ name: 'job.stop', senders: ['job'], hearers: ['job'], data: StopJob }),
};
