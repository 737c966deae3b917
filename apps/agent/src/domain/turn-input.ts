import { AppError, invalid, type JsonObject } from '@switchyard/kernel';
import {
  checkContents,
  type ContentItem,
  type LocalTool,
  type ModelSettings,
  type NewMessage,
  type OwnWords,
  promptValues,
  renderPrompt,
  type StartChat,
  type StartExecute,
  textOf,
  type TurnSource,
} from '@switchyard/contracts';
import type { AgentRecord } from './stored-agent';
import { readInputs } from './execute-inputs';
import { checkLocalTools } from './local-tool-names';

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
  /** The user's text, used for retrieval. */
  query: string;
  /** Only of a turn without a session; with one, the session has it. */
  contents: ContentItem[] | null;
  source: TurnSource;
  contextWindow: number;
  /** Of this turn alone, beside those of the agent. Turns that others have begun before may lack these five. */
  localTools?: LocalTool[];
  /** Of this turn alone, in place of the agent's. */
  responseSchema?: JsonObject;
  /** Messages that the caller sends before the newest one. */
  instructions?: string;
  /** Earlier messages, only of a turn without a session. Otherwise the session has them. */
  history?: NewMessage[];
  /** Only its own stream may read it, and nothing of it is kept behind that. The session looks for it. */
  isUnstored?: boolean;
  /** The caller's metadata, not shown to the model. */
  metadata?: JsonObject;
}

export interface TurnRequest {
  input: TurnInput;
  contents: ContentItem[];
  /** The name of what the user says, where it has one. */
  named: { id?: string };
  /** Messages to store in the session before the contents. */
  history: NewMessage[];
  sessionId: string | undefined;
  /** Whether that is made where there is none, and what must have been said in it. */
  session: Pick<StartChat, 'makesSession' | 'isSaidIn'>;
  /** Nothing of it is stored but usage. */
  stateless: boolean;
}

/** The schema of this turn, else of the agent where it is executed. */
export const schemaOf = (agent: AgentRecord, input: TurnInput): JsonObject | null =>
  input.responseSchema ?? (input.kind === 'execute' ? agent.responseSchema : null);

export interface Deployment {
  webSearch: boolean;
}

export function chatRequest(agent: AgentRecord, chat: StartChat, deployment: Deployment): TurnRequest {
  checkContents(chat.contents);
  checkHistory(chat.history);
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
      ...ownOf(agent, chat),
    },
    contents: chat.contents,
    named: chat.messageId === undefined ? {} : { id: chat.messageId },
    history: chat.history ?? [],
    sessionId: chat.sessionId,
    session: {
      ...(chat.makesSession ? { makesSession: chat.makesSession } : {}),
      ...(chat.isSaidIn ? { isSaidIn: true } : {}),
    },
    stateless: false,
  };
}

export function executeRequest(agent: AgentRecord, execute: StartExecute, deployment: Deployment): TurnRequest {
  const inputs = readInputs(execute.inputs, execute.contents);
  checkHistory(execute.history);
  if (inputs.internet && !deployment.webSearch) {
    throw new AppError('VALIDATION_ERROR', 'inputs.internet: this deployment has no web search.', {
      details: [{ path: 'inputs.internet', message: 'this deployment has no web search' }],
    });
  }
  // A job that brings contents is a chat in the background, with all that its agent has.
  const isChat = execute.contents !== undefined || execute.history !== undefined;
  const values = promptValues(agent.promptVariables, templateInputs(agent, inputs.variables), { strict: !isChat });
  const stateless = inputs.sessionId === undefined;
  // The history ends with what the model is to go on from: a tool's answer.
  const hasHistory = execute.history !== undefined && execute.contents === undefined;
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
      contents: stateless ? (hasHistory ? [] : inputs.contents) : null,
      source: execute.source ?? 'execute',
      contextWindow: 0,
      ...ownOf(agent, execute),
      ...(stateless && execute.history ? { history: execute.history } : {}),
      ...(stateless && execute.isUnstored ? { isUnstored: true } : {}),
    },
    contents: inputs.contents,
    named: {},
    history: execute.history ?? [],
    sessionId: inputs.sessionId,
    session: {},
    stateless,
  };
}

/** Per-call settings follow the same rules as the agent's own. */
function ownOf(
  agent: AgentRecord,
  input: OwnWords,
): Pick<TurnInput, 'localTools' | 'responseSchema' | 'instructions' | 'metadata'> {
  if (input.localTools)
    checkLocalTools(
      input.localTools,
      agent.localTools.map(({ name }) => name),
    );
  return {
    ...(input.localTools && input.localTools.length > 0 ? { localTools: input.localTools } : {}),
    ...(input.responseSchema ? { responseSchema: input.responseSchema } : {}),
    ...(input.instructions === undefined ? {} : { instructions: input.instructions }),
    ...(input.metadata ? { metadata: input.metadata } : {}),
  };
}

function checkHistory(history: readonly NewMessage[] = []): void {
  history.forEach(({ role, content }, at) => {
    if (role === 'event') throw invalid(`history[${at}].role`, 'must be user, assistant or tool');
    if (role === 'user') checkContents(content, `history[${at}].content`);
  });
}

const searchesWeb = (agent: AgentRecord, input: { disableWebSearch?: boolean }, deployment: Deployment): boolean =>
  deployment.webSearch && agent.tools.includes('web_search') && input.disableWebSearch !== true;

/** Recognised inputs fill a variable of the same name only where the agent has declared one. */
const templateInputs = (agent: AgentRecord, variables: JsonObject): JsonObject =>
  Object.fromEntries(
    agent.promptVariables
      .filter(({ name }) => Object.hasOwn(variables, name))
      .map(({ name }) => [name, variables[name]]),
  );
