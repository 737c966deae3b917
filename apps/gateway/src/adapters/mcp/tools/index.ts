import {
  AgentCalls,
  DatasetCalls,
  EventBusCalls,
  JobCalls,
  KeyCalls,
  SessionCalls,
  TaskCalls,
} from '@switchyard/contracts';
import { contractTools } from '../contract-tools';
import type { Tool } from '../tool';
import { agentTools } from './agents';
import { submitJob } from './jobs';
import { sessionTools } from './sessions';
import { getUsage } from './usage';

/** In the order in which clients see them. */
export const tools: readonly Tool[] = [
  ...contractTools(KeyCalls),
  ...contractTools(AgentCalls),
  ...agentTools,
  ...contractTools(SessionCalls),
  ...sessionTools,
  submitJob,
  ...contractTools(JobCalls),
  ...contractTools(TaskCalls),
  ...contractTools(DatasetCalls),
  ...contractTools(EventBusCalls),
  getUsage,
];
