export { intoWeeks, outOfWeeks } from './convert-to-partitioned';
export { weeks } from './weekly-partition-maintenance';
export type { WeeklyTable } from './weekly-table';
