import { defineStream, TextFrame } from '../define/define-contracts';
import { ById } from '../define/common-shapes';

export const DatasetStreams = {
  /** Frames are whole NDJSON lines, oldest record first. */
  export: defineStream({
    subject: 'dataset.export',
    request: ById,
    frame: TextFrame,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
    window: 8,
  }),
};
