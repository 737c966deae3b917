import type { AgentChanges } from '@switchyard/contracts';
import {
  SECRETS_TOGETHER_MAX,
  findSecretMention,
  hasOnlyReferences,
  invalid,
  mentionsSecret,
  secretNamesInJson,
} from '@switchyard/kernel';

const ALLOWED = 'Secrets can only be used in the headers of MCP servers';

/** The secrets that the headers of MCP servers name. Refuses a secret anywhere else: it could reach a model, or be shown. */
export function secretNamesOf(given: AgentChanges): string[] {
  const { mcpServers = [], ...rest } = given;
  refuse(rest, '');
  mcpServers.forEach(({ headers, ...server }, i) => {
    refuse(server, `mcpServers[${i}]`);
    for (const [name, value] of Object.entries(headers ?? {})) {
      const path = `mcpServers[${i}].headers.${name}`;
      if (mentionsSecret(name)) throw invalid(path, `must not name a secret in the name of a header. ${ALLOWED}`);
      if (!hasOnlyReferences(value)) throw invalid(path, 'must name a secret as {{ secrets.NAME }}, without filters');
    }
    if (secretNamesInJson(Object.values(headers ?? {})).length > SECRETS_TOGETHER_MAX)
      throw invalid(`mcpServers[${i}].headers`, `must not name more than ${SECRETS_TOGETHER_MAX} secrets together`);
  });
  return secretNamesInJson(mcpServers.map(({ headers }) => Object.values(headers ?? {})));
}

function refuse(value: unknown, path: string): void {
  const at = findSecretMention(value, path);
  if (at !== null) throw invalid(at, `must not name a secret. ${ALLOWED}`);
}
