export * from './coalesced-timers';
export * from './fair-semaphore';
export * from './gathering';
export * from './group-commit';
export * from './idle-pause';
export * from './shared-groups';
export * from './activity-listener';
