import { ACTION, CALLER, changeEvents, type PlatformEventTrigger, statusEvents } from '@switchyard/database';

/** Of every import, whether its request has written it or a worker. */
const IMPORTS: PlatformEventTrigger = {
  service: 'dataset',
  table: 'imports',
  status: 'phase',
  updated: statusEvents('phase', { SUCCEEDED: 'import.completed', FAILED: 'import.failed' }),
  facts: {
    name: '(select left(d.name, 1000) from datasets d where d.space_id = new.space_id and d.id = new.dataset_id)',
    datasetId: 'new.dataset_id',
    userId: 'new.created_by',
    errorCode: `left(new.error->>'code', 200)`,
  },
  actor: CALLER,
  cause: null,
};

const DATASETS: PlatformEventTrigger = {
  service: 'dataset',
  table: 'datasets',
  status: null,
  ...changeEvents('dataset.changed', ['version']),
  facts: { name: 'left(new.name, 1000)', datasetId: 'new.id', userId: 'new.created_by', action: ACTION },
  actor: CALLER,
  cause: null,
};

export const PLATFORM_EVENT_TRIGGERS = [IMPORTS, DATASETS];
