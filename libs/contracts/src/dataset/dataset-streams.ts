import { defineStream, TextFrame } from '../define/contracts';
import { ById } from '../define/shapes';

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
