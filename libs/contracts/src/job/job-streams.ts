import { BytesFrame, defineStream } from '../define/contracts';
import { JobContent } from './job-requests';

export const JobStreams = {
  /** The JSON of one field of a job, of any length. Its frames end anywhere, also within a character. */
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
