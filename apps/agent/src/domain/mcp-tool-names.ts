import { fingerprint, invalid } from '@switchyard/kernel';

const LONGEST = 64;
const SEPARATOR = '__';

/** A server tool's name for the model. Names that are invalid for models or too long get a short hash. */
export function mcpToolName(server: string, tool: string): string {
  const name = `${server}${SEPARATOR}${tool}`;
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  if (plain === name && name.length <= LONGEST) return name;
  const hash = fingerprint(name)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 8);
  return `${plain.slice(0, LONGEST - 9)}_${hash}`;
}

interface NamedServer {
  name: string;
  allowedTools?: readonly string[];
}

/**
 * Refuses names that leave open where the server ends and its tool begins: `a__b` of one server could pass for a tool
 * of `a`, past the rules for it. Existing agents are unchanged.
 */
export function checkMcpNames(servers: readonly NamedServer[], before: readonly NamedServer[]): void {
  servers.forEach(({ name, allowedTools = [] }, at) => {
    const existing = before.find((server) => server.name === name);
    if (!existing && (name.includes(SEPARATOR) || name.endsWith('_')))
      throw invalid(
        `mcpServers[${at}].name`,
        'must not contain "__" or end with "_": "__" parts a server from its tool',
      );
    allowedTools.forEach((tool, index) => {
      if (tool.includes(SEPARATOR) && existing?.allowedTools?.includes(tool) !== true)
        throw invalid(
          `mcpServers[${at}].allowedTools[${index}]`,
          'must not contain "__", which parts a server from its tool',
        );
    });
  });
}

/** Why the name of a tool is not its own among the servers of an agent; null where it is. */
export function ambiguityOf(server: string, tool: string, servers: readonly { name: string }[]): string | null {
  const name = mcpToolName(server, tool);
  const other = servers.find((one) => one.name !== server && name.startsWith(`${one.name}${SEPARATOR}`));
  return other ? `Its name, ${name}, could be a tool of the server ${other.name} as well.` : null;
}
