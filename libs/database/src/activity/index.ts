export * from './activity-source';
export { createActivityTables } from './activity-tables';
export { activityCounters, anyActivityDeltas } from './activity-counters';
export { listActivity, readActivity, type ActivityListQuery } from './activity-list';
export { activityChanges, anyOldWatches, type ChangedRow } from './activity-changes';
