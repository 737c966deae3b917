export * from './activity-kinds';
export * from './activity-view';
export * from './activity-requests';
export * from './activity-signals';
export * from './activity-calls';
export * from './causes';
