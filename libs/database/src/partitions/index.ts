export { intoWeeks, outOfWeeks } from './into-weeks';
export { weeks } from './keep-weeks';
export type { WeeklyTable } from './weekly-table';
