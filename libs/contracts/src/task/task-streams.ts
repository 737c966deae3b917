import { BytesFrame, defineStream } from '../define/define-contracts';
import { ExecutionContent } from './execution-requests';

export const TaskStreams = {
  /** JSON of one field of an execution, of any length. Frames may split characters. */
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
