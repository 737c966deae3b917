export * from './job-field-types';
export * from './job-requests';
export * from './job-view';
export * from './job-calls';
export * from './job-streams';
