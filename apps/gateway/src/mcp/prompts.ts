import { McpServer } from '@modelcontextprotocol/server';
import { AgentCalls, Ctx, Field, f, hasScope } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { McpDeps } from './mcp-deps';
import { standardSchema } from './standard-schema';

class AgentPromptArguments {
  @Field(f.id(), { description: 'The agent whose prompt it is.' }) agentId!: string;
  @Field(f.text({ max: 20_000 }), {
    optional: true,
    description: "Values of the prompt's variables, as a JSON object.",
  })
  variables?: string;
}

function readVariables(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new AppError('VALIDATION_ERROR', 'variables must be a JSON object.');
}

/** Values are put in once, as text: what they hold is never read as a template again. */
const fill = (template: string, variables: Record<string, unknown>): string =>
  template.replace(/\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? String(variables[name]) : whole,
  );

/** The prompt templates of agents, for clients that want to use them with a model of their own. */
export function registerPrompts(server: McpServer, ctx: Ctx, { bus }: McpDeps): void {
  server.registerPrompt(
    'agent_prompt',
    {
      title: "An agent's prompt",
      description: 'The system prompt of an agent with its variables filled in.',
      argsSchema: standardSchema(AgentPromptArguments, true),
    },
    async ({ agentId, variables }) => {
      if (!hasScope(ctx.scopes, 'agents:read')) throw new AppError('FORBIDDEN', 'The key lacks the scope agents:read.');
      const agent = await bus.call(AgentCalls.get, ctx, { agentId });
      const defaults = Object.fromEntries(
        agent.promptVariables.filter((item) => item.default !== undefined).map((item) => [item.name, item.default]),
      );
      const text = fill(agent.systemPrompt, { ...defaults, ...readVariables(variables) });
      return { description: agent.name, messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}
