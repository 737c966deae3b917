export { AdminDatabase } from './admin-database';
export { usePlatform, TestPlatform } from './platform';
export type { PlatformState } from './platform-state';
export { Client, type Reply, type RequestOptions, type StreamReply } from './client';
export type { Answer } from './answer';
export type { SseFrame } from './event-stream';
export { ProcessHandle } from './process-handle';
export { TestSpace, type MemberRole, signIn } from './space';
export { until, type Patience } from './until';
