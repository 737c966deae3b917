export * from './errors';
export * from './ids';
export * from './json';
export * from './cursor';
export * from './clock';
export * from './filter';
export * from './failpoint';
export * from './tracing';
