import type { Tool } from '../tool';
import { agentTools } from './agents';
import { datasetTools } from './datasets';
import { eventTools } from './events';
import { sessionTools } from './sessions';
import { workTools } from './work';

/** In the order in which clients see them. */
export const tools: readonly Tool[] = [...agentTools, ...sessionTools, ...workTools, ...datasetTools, ...eventTools];
