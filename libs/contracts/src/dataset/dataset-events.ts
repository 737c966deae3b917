import { defineEvent } from '../define/define-contracts';
import { RecordsWritten } from './dataset-watches';

export const DatasetEvents = {
  /** Only for watched datasets, published in the transaction of the write, in order for each dataset. */
  recordsWritten: defineEvent({
    name: 'dataset.records-written',
    source: 'dataset',
    data: RecordsWritten,
    consumers: ['event-bus'],
  }),
};
