export * from './job-parts';
export * from './job-requests';
export * from './job-view';
export * from './job-calls';
export * from './job-streams';
