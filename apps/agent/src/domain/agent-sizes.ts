import { checkPrompt, isOverBytes, overBytes, SIZES } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import type { AgentBody } from './agent-record';

/** The fields of an agent that have a size, beside its prompt. The contract holds what is sent to the same. */
export const AGENT_SIZES = {
  promptVariables: SIZES.promptVariables,
  mcpServers: SIZES.agentList,
  localTools: SIZES.agentList,
  approvals: SIZES.agentList,
  responseSchema: SIZES.schema,
  metadata: SIZES.metadata,
} as const satisfies Partial<Record<keyof AgentBody, number>>;

/** Of a version that becomes the current one again: it may be older than the limits. */
export function checkSizes(body: AgentBody): void {
  checkPrompt(body.systemPrompt);
  for (const field of Object.keys(AGENT_SIZES) as (keyof typeof AGENT_SIZES)[])
    if (isOverBytes(body[field], AGENT_SIZES[field])) throw invalid(field, overBytes(AGENT_SIZES[field]));
}
