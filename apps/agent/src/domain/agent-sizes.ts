import { checkPrompt, isOverBytes, overBytes } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { AGENT_FIELD_NAMES, AGENT_FIELDS } from './agent-fields';
import type { AgentBody } from './agent-record';

/** Of a version that becomes the current one again: it may be older than the limits. */
export function checkSizes(body: AgentBody): void {
  checkPrompt(body.systemPrompt);
  for (const name of AGENT_FIELD_NAMES) {
    const { bytes } = AGENT_FIELDS[name];
    if (bytes !== undefined && isOverBytes(body[name], bytes)) throw invalid(name, overBytes(bytes));
  }
}
