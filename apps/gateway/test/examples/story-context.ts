import type { Client, Reply, TestPlatform, TestSpace } from '@switchyard/testing';
import type { ExampleRecorder } from './recorder';

export interface StoryContext {
  platform: TestPlatform;
  space: TestSpace;
  /** A member who signs in and out, is changed and removed. */
  ada: Client;
  /** An operator of the platform. */
  operator: Client;
  recorder: ExampleRecorder;
}

export const dataOf = (reply: Reply): Record<string, string> =>
  (reply.body as { data?: Record<string, string> }).data ?? {};

export interface AgentStoryContext {
  owner: Client;
  recorder: ExampleRecorder;
  agentId: string;
}
