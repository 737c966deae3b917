import { AppError, type JsonObject } from '@switchyard/kernel';
import {
  checkContents,
  type ContentItem,
  type ModelSettings,
  promptValues,
  renderPrompt,
  type StartChat,
  type StartExecute,
  textOf,
  type TurnSource,
} from '@switchyard/contracts';
import type { AgentRecord } from './agent-record';
import { readInputs } from './execute-inputs';

/** Everything of a request that another process needs to go on with its turn. Plain JSON, stored with the turn. */
export interface TurnInput {
  kind: 'chat' | 'execute';
  agentVersion: number;
  prompt: string;
  settings: ModelSettings;
  askMode: boolean;
  webSearch: boolean;
  memory: boolean;
  knowledge: boolean;
  /** What the user says, in words: retrieval looks for it. */
  query: string;
  /** Only of a turn without a session; with one, the session has it. */
  contents: ContentItem[] | null;
  source: TurnSource;
  contextWindow: number;
}

export interface TurnRequest {
  input: TurnInput;
  contents: ContentItem[];
  sessionId: string | undefined;
  /** Nothing of it is stored but usage. */
  stateless: boolean;
}

export interface Deployment {
  webSearch: boolean;
}

export function chatRequest(agent: AgentRecord, chat: StartChat, deployment: Deployment): TurnRequest {
  checkContents(chat.contents);
  const values = promptValues(agent.promptVariables, {}, { strict: false });
  return {
    input: {
      kind: 'chat',
      agentVersion: agent.version,
      prompt: renderPrompt(agent.systemPrompt, values),
      settings: { ...agent.settings, ...chat.settings },
      askMode: chat.chatMode === 'ask',
      webSearch: searchesWeb(agent, chat, deployment),
      memory: agent.tools.includes('save_memory'),
      knowledge: agent.knowledge.length > 0,
      query: textOf(chat.contents),
      contents: null,
      source: chat.source ?? 'chat',
      contextWindow: 0,
    },
    contents: chat.contents,
    sessionId: chat.sessionId,
    stateless: false,
  };
}

export function executeRequest(agent: AgentRecord, execute: StartExecute, deployment: Deployment): TurnRequest {
  const inputs = readInputs(execute.inputs, execute.contents);
  if (inputs.internet && !deployment.webSearch) {
    throw new AppError('VALIDATION_ERROR', 'inputs.internet: this deployment has no web search.', {
      details: [{ path: 'inputs.internet', message: 'this deployment has no web search' }],
    });
  }
  // A job that brings contents is a chat in the background: what its agent has, it has.
  const isChat = execute.contents !== undefined;
  const values = promptValues(agent.promptVariables, templateInputs(agent, inputs.variables), { strict: !isChat });
  const stateless = inputs.sessionId === undefined;
  return {
    input: {
      kind: 'execute',
      agentVersion: agent.version,
      prompt: renderPrompt(agent.systemPrompt, values),
      settings: { ...agent.settings, ...execute.settings },
      askMode: execute.chatMode === 'ask',
      webSearch: inputs.internet || (isChat && searchesWeb(agent, execute, deployment)),
      memory: inputs.memory || (isChat && agent.tools.includes('save_memory')),
      knowledge: (inputs.context || isChat) && agent.knowledge.length > 0,
      query: textOf(inputs.contents),
      contents: stateless ? inputs.contents : null,
      source: execute.source ?? 'execute',
      contextWindow: 0,
    },
    contents: inputs.contents,
    sessionId: inputs.sessionId,
    stateless,
  };
}

const searchesWeb = (agent: AgentRecord, asked: { disableWebSearch?: boolean }, deployment: Deployment): boolean =>
  deployment.webSearch && agent.tools.includes('web_search') && asked.disableWebSearch !== true;

/** Recognised inputs fill a variable of the same name only where the agent has declared one. */
const templateInputs = (agent: AgentRecord, variables: JsonObject): JsonObject =>
  Object.fromEntries(
    agent.promptVariables
      .filter(({ name }) => Object.hasOwn(variables, name))
      .map(({ name }) => [name, variables[name]]),
  );
