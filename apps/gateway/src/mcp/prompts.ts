import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import {
  AgentCalls,
  type Ctx,
  Field,
  checkRequest,
  f,
  hasScope,
  promptValues,
  renderPrompt,
} from '@switchyard/contracts';
import { AppError, type JsonObject, checkJson, invalid, isPlainObject } from '@switchyard/kernel';
import type { McpDeps } from './mcp-deps';
import { answering } from './protocol-error';
import { describedSchema } from './standard-schema';

class AgentPromptArguments {
  @Field(f.id(), { description: 'The agent whose prompt it is.' }) agentId!: string;
  @Field(f.text({ max: 20_000 }), {
    optional: true,
    description: "Values of the prompt's variables, as a JSON object.",
  })
  variables?: string;
}

function readVariables(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    checkJson(value);
    if (isPlainObject(value)) return value;
  } catch (error) {
    if (error instanceof AppError) throw invalid('variables', error.message);
  }
  throw invalid('variables', 'must be a JSON object');
}

/** The prompt templates of agents, for clients that want to use them with a model of their own. */
export function registerPrompts(server: McpServer, ctx: Ctx, deps: McpDeps): void {
  const prompt = async (asked: AgentPromptArguments): Promise<GetPromptResult> => {
    if (!hasScope(ctx.scopes, 'agents:read')) throw new AppError('FORBIDDEN', 'The key lacks the scope agents:read.');
    checkRequest(AgentPromptArguments, asked);
    const variables = readVariables(asked.variables);
    const agent = await deps.bus.call(AgentCalls.get, ctx, { agentId: asked.agentId });
    const values = promptValues(agent.promptVariables, variables, { strict: true, field: 'variables' });
    const text = renderPrompt(agent.systemPrompt, values);
    return { description: agent.name, messages: [{ role: 'user', content: { type: 'text', text } }] };
  };
  server.registerPrompt(
    'agent_prompt',
    {
      title: "An agent's prompt",
      description: 'The system prompt of an agent with its variables filled in.',
      argsSchema: describedSchema(AgentPromptArguments),
    },
    (asked) => answering(deps, 'prompts/get', () => prompt(asked)),
  );
}
