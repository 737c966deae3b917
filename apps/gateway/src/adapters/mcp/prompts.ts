import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import {
  AgentCalls,
  type AgentSummary,
  type Ctx,
  promptValues,
  renderPrompt,
  SIZES,
  checkAccess,
  isOverBytes,
  mayUse,
  overBytes,
} from '@switchyard/contracts';
import { AppError, invalid, isId } from '@switchyard/kernel';
import type { McpDeps } from './mcp-deps';
import { answering } from './protocol-error';

const PAGE = 50;
const PREFIX = 'agent-';

interface ListedPrompt {
  name: string;
  title: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
}

const listed = ({ id, name, description, promptVariables }: AgentSummary): ListedPrompt => ({
  name: `${PREFIX}${id}`,
  title: name,
  ...(description === null ? {} : { description }),
  arguments: promptVariables.map((variable) => ({
    name: variable.name,
    ...(variable.description === undefined ? {} : { description: variable.description }),
    required: variable.required === true && variable.default === undefined,
  })),
});

async function listPage(
  cursor: string | undefined,
  ctx: Ctx,
  { bus }: McpDeps,
): Promise<{ prompts: ListedPrompt[]; nextCursor?: string }> {
  if (!mayUse(AgentCalls.listPrompts, ctx)) return { prompts: [] };
  const page = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
  const { items, nextCursor } = await bus.call(AgentCalls.listPrompts, ctx, page);
  const prompts = items.map(listed);
  return nextCursor === null ? { prompts } : { prompts, nextCursor };
}

async function getPrompt(
  name: string,
  values: Record<string, string>,
  ctx: Ctx,
  { bus }: McpDeps,
): Promise<GetPromptResult> {
  checkAccess(AgentCalls.get.access, ctx, 'gateway');
  const agentId = name.slice(PREFIX.length);
  if (!name.startsWith(PREFIX) || !isId(agentId)) throw new AppError('NOT_FOUND', 'Prompt not found.');
  await bus.call(AgentCalls.checkCallable, ctx, { agentId, forReading: true });
  const agent = await bus.call(AgentCalls.get, ctx, { agentId });
  const declared = new Set(agent.promptVariables.map((variable) => variable.name));
  const unknown = Object.keys(values).find((given) => !declared.has(given));
  if (unknown !== undefined) throw invalid(`arguments.${unknown}`, 'is not a variable of this agent');
  if (isOverBytes(values, SIZES.inputs)) throw invalid('arguments', overBytes(SIZES.inputs));
  const filled = promptValues(agent.promptVariables, values, { strict: true, field: 'arguments' });
  const text = renderPrompt(agent.systemPrompt, filled);
  return { description: agent.name, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** One prompt for each agent that the caller may call, for clients that want to use it with a model of their own. */
export function registerPrompts({ server }: McpServer, ctx: Ctx, deps: McpDeps): void {
  server.setRequestHandler('prompts/list', ({ params }) =>
    answering(deps, 'prompts/list', () => listPage(params?.cursor, ctx, deps)),
  );
  server.setRequestHandler('prompts/get', ({ params }) =>
    answering(deps, 'prompts/get', () => getPrompt(params.name, params.arguments ?? {}, ctx, deps)),
  );
}
