import { invalid } from '@switchyard/kernel';
import { type AgentChanges, checkApprovals, checkPrompt } from '@switchyard/contracts';
import { agentFields } from './agent-fields';
import type { AgentBody } from './stored-agent';
import { checkLocalTools } from './local-tool-names';
import { checkMcpNames } from './mcp-tool-names';

/** The fields given replace those of the body; the others stay. A field that is not the agent's own has no effect. */
export function applyChanges(body: AgentBody, changes: AgentChanges): AgentBody {
  const next = agentFields.changed(body, changes);
  if (changes.systemPrompt !== undefined) checkPrompt(changes.systemPrompt);
  checkBody(next);
  if (changes.mcpServers) checkMcpNames(changes.mcpServers, body.mcpServers);
  return next;
}

function unique(names: string[], path: string, what: string): void {
  const seen = new Set<string>();
  names.forEach((name, at) => {
    if (seen.has(name)) throw invalid(`${path}[${at}].name`, `names a second ${what} "${name}"`);
    seen.add(name);
  });
}

function checkBody(body: AgentBody): void {
  checkApprovals(body.approvals, 'approvals');
  if (body.name.trim() === '') throw invalid('name', 'must not be blank');
  unique(
    body.promptVariables.map(({ name }) => name),
    'promptVariables',
    'variable',
  );
  unique(
    body.mcpServers.map(({ name }) => name),
    'mcpServers',
    'server',
  );
  checkLocalTools(body.localTools);
}
