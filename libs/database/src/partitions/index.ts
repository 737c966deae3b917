export { createWeeks } from './weekly-functions';
export { weeks } from './weekly-partition-maintenance';
export type { WeeklyTable } from './weekly-table';
