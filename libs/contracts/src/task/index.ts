export * from './task-parts';
export * from './task-requests';
export * from './task-view';
export * from './execution-view';
export * from './execution-requests';
export * from './event-tasks';
export * from './task-calls';
export * from './task-events';
