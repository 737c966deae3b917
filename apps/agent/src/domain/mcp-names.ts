import { fingerprint } from '@switchyard/kernel';

const LONGEST = 64;
const SEPARATOR = '__';

/** What a model calls a server's tool. Names that models could not write, or that are too long, get a short hash. */
export function mcpToolName(server: string, tool: string): string {
  const name = `${server}${SEPARATOR}${tool}`;
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  if (plain === name && name.length <= LONGEST) return name;
  const hash = fingerprint(name)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 8);
  return `${plain.slice(0, LONGEST - 9)}_${hash}`;
}
