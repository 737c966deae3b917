export * from './activity-source';
export { createActivityTables, dropActivityTables } from './activity-tables';
export { activityCounters } from './activity-counters';
export { listActivity, readActivity, type ActivityListQuery } from './activity-list';
export { activityChanges, type ChangedRow } from './activity-changes';
