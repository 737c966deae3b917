import { BytesFrame, defineStream } from '../define/contracts';
import { ExecutionContent } from './execution-requests';

export const TaskStreams = {
  /** The JSON of one field of an execution, of any length. Its frames end anywhere, also within a character. */
  content: defineStream({
    subject: 'task.content',
    request: ExecutionContent,
    frame: BytesFrame,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'tasks:read' },
    callers: ['gateway'],
    window: 32,
  }),
};
