import { invalid, secretNamesInJson } from '@switchyard/kernel';
import {
  type AgentChanges,
  checkApprovals,
  checkPrompt,
  type McpServerInput,
  type McpServerView,
} from '@switchyard/contracts';
import type { AgentBody } from './agent-record';
import { checkLocalTools } from './local-tool-names';
import { checkMcpNames } from './mcp-names';

/** Fields that were given replace what was there; the others stay. Field by field, so that nothing else slips in. */
export function applyChanges(body: AgentBody, changes: AgentChanges): AgentBody {
  const next: AgentBody = {
    name: changes.name ?? body.name,
    description: changes.description === undefined ? body.description : changes.description,
    model: changes.model ?? body.model,
    systemPrompt: changes.systemPrompt ?? body.systemPrompt,
    agentType: changes.agentType ?? body.agentType,
    accessScope: changes.accessScope ?? body.accessScope,
    allowedUserIds: changes.allowedUserIds ? [...new Set(changes.allowedUserIds)] : body.allowedUserIds,
    settings: changes.settings ?? body.settings,
    promptVariables: changes.promptVariables
      ? changes.promptVariables.map((variable) => ({ ...variable, required: variable.required ?? false }))
      : body.promptVariables,
    tools: changes.tools ? [...new Set(changes.tools)] : body.tools,
    knowledge: changes.knowledge ?? body.knowledge,
    mcpServers: changes.mcpServers
      ? changes.mcpServers.map((server) => shownServer(server, body.mcpServers))
      : body.mcpServers,
    localTools: changes.localTools ?? body.localTools,
    responseSchema: changes.responseSchema === undefined ? body.responseSchema : changes.responseSchema,
    maxSteps: changes.maxSteps === undefined ? body.maxSteps : changes.maxSteps,
    fallbackModels: changes.fallbackModels ?? body.fallbackModels,
    approvals: changes.approvals ?? body.approvals,
    metadata: changes.metadata ?? body.metadata,
  };
  if (changes.systemPrompt !== undefined) checkPrompt(changes.systemPrompt);
  checkBody(next);
  if (changes.mcpServers) checkMcpNames(changes.mcpServers, body.mcpServers);
  return next;
}

/** A server without headers keeps those it had, as long as its requests go to the same place. */
export const keepsHeaders = (server: McpServerInput, before: McpServerView | undefined): boolean =>
  server.headers === undefined && before !== undefined && originOf(before.url) === originOf(server.url);

function shownServer(server: McpServerInput, before: McpServerView[]): McpServerView {
  const known = before.find((candidate) => candidate.name === server.name);
  const headerNames = server.headers
    ? Object.keys(server.headers)
    : keepsHeaders(server, known)
      ? known?.headerNames
      : undefined;
  const secretNames = server.headers
    ? secretNamesInJson(Object.values(server.headers))
    : keepsHeaders(server, known)
      ? known?.secretNames
      : undefined;
  return {
    name: server.name,
    url: server.url,
    ...(secretNames && secretNames.length > 0 ? { secretNames } : {}),
    ...(headerNames && headerNames.length > 0 ? { headerNames } : {}),
    ...(server.allowedTools ? { allowedTools: server.allowedTools } : {}),
  };
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

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
