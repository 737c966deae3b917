import { BUILTIN_TOOLS, type LocalTool } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';

/** A model knows its tools by name: no two may have the same, wherever they come from. */
export function checkLocalTools(tools: readonly LocalTool[], taken: readonly string[] = []): void {
  const seen = new Set<string>();
  tools.forEach(({ name }, at) => {
    const path = `localTools[${at}].name`;
    if (seen.has(name)) throw invalid(path, `names a second tool "${name}"`);
    seen.add(name);
    if (taken.includes(name)) throw invalid(path, `"${name}" is the name of a local tool of the agent`);
    if ((BUILTIN_TOOLS as readonly string[]).includes(name))
      throw invalid(path, `"${name}" is the name of a built-in tool`);
    if (name.includes('__')) throw invalid(path, 'must not contain "__", which parts an MCP server from its tool');
  });
}
