import {
  AgentCalls,
  DatasetCalls,
  EventBusCalls,
  JobCalls,
  KeyCalls,
  SessionCalls,
  TaskCalls,
} from '@switchyard/contracts';
import { declaredTools } from '../declared-tools';
import type { Tool } from '../tool';
import { agentTools } from './agents';
import { submitJob } from './jobs';
import { sessionTools } from './sessions';
import { getUsage } from './usage';

/** In the order in which clients see them. */
export const tools: readonly Tool[] = [
  ...declaredTools(KeyCalls),
  ...declaredTools(AgentCalls),
  ...agentTools,
  ...declaredTools(SessionCalls),
  ...sessionTools,
  submitJob,
  ...declaredTools(JobCalls),
  ...declaredTools(TaskCalls),
  ...declaredTools(DatasetCalls),
  ...declaredTools(EventBusCalls),
  getUsage,
];
