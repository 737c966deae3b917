import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { type Serving, runTool } from './run-tool';
import { describedSchema, standardSchema } from './standard-schema';
import type { Tool } from './tool';
import { tools } from './tools';

const byName = new Map(
  tools.map((tool) => [
    tool.name,
    { tool, input: describedSchema(tool.input), output: standardSchema(tool.output, false) },
  ]),
);

/** Which tools a message can reach: registering all of them takes longer than a call of one. */
export type ToolsNeeded = 'all' | 'none' | { named: string };

/** The SDK looks tools up in an object: without a prototype, `constructor` is no tool, like any other unknown name. */
function detachPrototype(server: McpServer): void {
  Object.setPrototypeOf(Reflect.get(server, '_registeredTools') as object, null);
}

export function registerTools(server: McpServer, needed: ToolsNeeded, serving: Serving): void {
  detachPrototype(server);
  if (needed === 'none') return;
  for (const name of needed === 'all' ? byName.keys() : [needed.named]) register(server, name, serving);
}

function register(server: McpServer, name: string, serving: Serving): void {
  const registered = byName.get(name);
  if (!registered) return;
  const { tool, input, output } = registered;
  server.registerTool(
    name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: input,
      outputSchema: output,
      annotations: annotationsOf(tool),
    },
    (given: object, context: ServerContext) => runTool(tool, given, context, serving),
  );
}

function annotationsOf({ title, hints }: Tool): Record<string, string | boolean> {
  const { readOnly = false, destructive = false, idempotent = readOnly } = hints;
  return {
    title,
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: false,
  };
}
