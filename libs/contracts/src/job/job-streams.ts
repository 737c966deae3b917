import { BytesFrame, defineStream } from '../define/define-contracts';
import { JobContent } from './job-requests';

export const JobStreams = {
  /** JSON of one field of a job, of any length. Frames may split characters. */
  content: defineStream({
    subject: 'job.content',
    request: JobContent,
    frame: BytesFrame,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'jobs:read' },
    callers: ['gateway'],
    window: 32,
  }),
};
