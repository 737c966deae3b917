import { checkPrompt, isOverBytes, overBytes } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { agentFields } from './agent-fields';
import type { AgentBody } from './stored-agent';

/** Of a version that becomes the current one again: it may be older than the limits. */
export function checkSizes(body: AgentBody): void {
  checkPrompt(body.systemPrompt);
  for (const [name, bytes] of agentFields.bounds)
    if (isOverBytes(body[name], bytes)) throw invalid(name, overBytes(bytes));
}
