import { defineCall, defineSignal } from '../define/contracts';
import { pageOf } from '../define/shapes';
import { JobById, ListJobs, StopJob, SubmitJob } from './job-requests';
import { JobCallbackView, JobView } from './job-view';

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
    reply: pageOf(JobView),
    access: { scope: 'jobs:read' },
    callers: ['gateway'],
  }),
  get: defineCall({
    subject: 'job.get',
    request: JobById,
    reply: JobView,
    errors: ['NOT_FOUND'],
    access: { scope: 'jobs:read' },
    callers: ['gateway'],
  }),
  getCallback: defineCall({
    subject: 'job.get-callback',
    request: JobById,
    reply: JobCallbackView,
    errors: ['NOT_FOUND'],
    access: { scope: 'jobs:read' },
    callers: ['gateway'],
  }),
  cancel: defineCall({
    subject: 'job.cancel',
    request: JobById,
    reply: JobView,
    errors: ['NOT_FOUND', 'JOB_FINISHED'],
    access: { scope: 'jobs:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
};

export const JobSignals = {
  /** Only makes a cancellation quicker: the worker meets it at its next heartbeat anyway. */
  stop: defineSignal({ name: 'job.stop', senders: ['job'], hearers: ['job'], data: StopJob }),
};
