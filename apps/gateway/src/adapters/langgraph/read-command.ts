import type { ContentItem, LocalTool } from '@switchyard/contracts';
import { invalid, isId, isPlainObject, type JsonObject } from '@switchyard/kernel';
import { choiceIn } from '../../turn-events/submit-client-answers';
import { contentsOf } from '../../turn-events/read-content-items';
import type { InputItem } from '../../turn-events/client-input-item';
import { localToolsOf } from '../../turn-events/turn-settings-from-request';

/** Unsupported fields that would change the result. */
export function refuse(from: Readonly<Record<string, unknown>>, path: string, names: readonly string[]): void {
  for (const name of names) {
    const value = from[name];
    const isEmpty = value === undefined || value === null || (isPlainObject(value) && Object.keys(value).length === 0);
    if (!isEmpty) throw invalid(`${path}${name}`, 'is not supported');
  }
}

export interface RunStart {
  agentId: string;
  items: InputItem[];
  /** The names that its client gave to the messages, in their order. */
  ids: (string | null)[];
  tools: LocalTool[];
  /** The request, to tell a repeat from a different one. */
  request: unknown;
}

/** As LangChain's own classes become JSON, or as plain messages are written. */
function plainOf(message: unknown, path: string): JsonObject {
  if (!isPlainObject(message)) throw invalid(path, 'must be a message');
  const { kwargs, id } = message;
  if (message['lc'] !== 1 || !isPlainObject(kwargs) || !Array.isArray(id)) return message;
  const name: unknown = id.at(-1);
  if (typeof name !== 'string') throw invalid(`${path}.id`, 'must end with the name of a class');
  const type = name.replace(/Message(Chunk)?$/, '').toLowerCase();
  return { type, ...kwargs };
}

/** A UUID is the same one in capitals. */
const withLowerCaseId = (message: JsonObject): JsonObject =>
  isId(message['id']) ? { ...message, id: message['id'].toLowerCase() } : message;

const text = (value: string): ContentItem => ({ type: 'text', text: value });

function blockOf(block: unknown, path: string): ContentItem[] {
  if (!isPlainObject(block)) throw invalid(path, 'must be a block of content');
  const { type, url, base64, mime_type: mime } = block;
  const isData = type === 'image' || type === 'audio' || type === 'file';
  if (!isData) return contentsOf([block], path);
  const address = typeof url === 'string' ? url : null;
  const data = typeof base64 === 'string' && typeof mime === 'string' ? `data:${mime};base64,${base64}` : null;
  const at = address ?? data;
  if (at === null) throw invalid(path, 'must have a url, or base64 with its mime_type: files are not kept here');
  if (type === 'image') return [{ type: 'image_url', image_url: { url: at } }];
  return [type === 'audio' ? { type, audio_url: { url: at } } : { type: 'file', file_info: { url: at } }];
}

function contentIn(content: unknown, path: string): ContentItem[] {
  if (content === '') throw invalid(path, 'must not be empty');
  if (typeof content === 'string') return [text(content)];
  if (!Array.isArray(content) || content.length === 0) throw invalid(path, 'must be a string or a list of blocks');
  return content.flatMap((block: unknown, at) => blockOf(block, `${path}[${at}]`));
}

function textIn(content: unknown, path: string): string {
  if (typeof content === 'string') return content;
  return contentIn(content, path)
    .map(({ text: words }) => words ?? '')
    .join('');
}

function assistantOf(message: JsonObject, path: string): InputItem[] {
  const words = message['content'] === undefined ? '' : textIn(message['content'], `${path}.content`);
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  return [
    ...(words === '' ? [] : [{ kind: 'assistant' as const, contents: [text(words)], ownTurn: null }]),
    ...calls.map((call: unknown, at): InputItem => {
      const where = `${path}.tool_calls[${at}]`;
      if (!isPlainObject(call)) throw invalid(where, 'must be an object');
      const { id, name, args } = call;
      if (typeof id !== 'string' || id === '') throw invalid(`${where}.id`, 'must be a string');
      if (typeof name !== 'string' || name === '' || name.length > 200)
        throw invalid(`${where}.name`, 'must be the name of a tool');
      return { kind: 'call', id, name, arguments: args ?? {}, ownTurn: null };
    }),
  ];
}

function itemsOf(message: JsonObject, path: string): InputItem[] {
  const content = message['content'];
  switch (message['type'] ?? message['role']) {
    case 'human':
    case 'user':
      return [{ kind: 'user', contents: contentIn(content, `${path}.content`), ownTurn: null }];
    case 'ai':
    case 'assistant':
      return assistantOf(message, path);
    case 'system':
    case 'developer':
      return [{ kind: 'instructions', contents: [text(textIn(content, `${path}.content`))], ownTurn: null }];
    case 'tool': {
      const id = message['tool_call_id'];
      if (typeof id !== 'string' || id === '') throw invalid(`${path}.tool_call_id`, 'must be a string');
      const output = textIn(content, `${path}.content`);
      return [{ kind: 'output', id, output, waits: null, ownTurn: null }];
    }
    default:
      throw invalid(`${path}.type`, 'must be human, ai, system or tool');
  }
}

const MULTITASK = new Set([undefined, null, 'reject']);

/** `run.start`: its input is a list of messages, ending with the user's. */
export function readRunStart(params: JsonObject): RunStart {
  const { assistant_id: agentId, input, config, multitask_strategy: strategy } = params;
  if (!isId(agentId)) throw invalid('params.assistant_id', 'must be the id of an agent');
  if (!MULTITASK.has(strategy as string | undefined))
    throw invalid('params.multitask_strategy', 'is not supported but for reject: a thread runs one turn at a time');
  refuse(params, 'params.', ['langsmith_tracer', 'command', 'update', 'goto', 'interrupt_before', 'interrupt_after']);
  if (isPlainObject(config) && isPlainObject(config['configurable']))
    refuse(config['configurable'], 'params.config.configurable.', ['checkpoint_id', 'checkpoint']);
  if (!isPlainObject(input)) throw invalid('params.input', 'must be {"messages": [...]}');
  const { messages, tools } = input;
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('params.input.messages', 'must be a list');
  refuse(
    input,
    'params.input.',
    Object.keys(input).filter((name) => name !== 'messages' && name !== 'tools'),
  );
  const plain = messages.map((message: unknown, at) =>
    withLowerCaseId(plainOf(message, `params.input.messages[${at}]`)),
  );
  return {
    agentId: agentId.toLowerCase(),
    items: plain.flatMap((message, at) => itemsOf(message, `params.input.messages[${at}]`)),
    ids: plain.map(({ id }) => (typeof id === 'string' && id !== '' ? id : null)),
    tools: localToolsOf(tools),
    request: { agentId, messages: plain, tools: tools ?? [] },
  };
}

/** Of one command. A turn waits for far fewer. */
const MAX_ANSWERS = 256;

export interface InterruptResponse {
  interruptId: string;
  response: unknown;
  /** Where the response stands in the command. */
  path: string;
}

/** `input.respond`: the answer to one interrupt, or to several tools at once. */
export function readAnswers(params: JsonObject): InterruptResponse[] {
  refuse(params, 'params.', ['update', 'goto']);
  const { responses } = params;
  const given = Array.isArray(responses) ? responses : [params];
  if (given.length === 0) throw invalid('params.responses', 'must not be empty');
  if (given.length > MAX_ANSWERS) throw invalid('params.responses', `must hold at most ${MAX_ANSWERS} answers`);
  return given.map((each: unknown, at) => {
    const path = Array.isArray(responses) ? `params.responses[${at}].` : 'params.';
    const interruptId = isPlainObject(each) ? each['interrupt_id'] : undefined;
    if (typeof interruptId !== 'string' || interruptId === '') throw invalid(`${path}interrupt_id`, 'must be a string');
    const response = (each as JsonObject)['response'];
    if (response === undefined) throw invalid(`${path}response`, 'must be given');
    return { interruptId, response, path: `${path}response` };
  });
}

/** A person's decision: free text, or an answer object. */
export function decisionOf(response: unknown, path: string): string {
  if (typeof response === 'string') return response;
  if (!isPlainObject(response))
    throw invalid(path, 'must be a string, or {"selectedOptionIds": [...], "otherText": null}');
  choiceIn(response, path);
  return JSON.stringify(response);
}

/** A client tool's result: bare, or keyed by call id. */
export function resultOf(response: unknown, callId: string): string {
  const isNamed = isPlainObject(response) && Object.keys(response).length === 1 && callId in response;
  const result = isNamed ? response[callId] : response;
  return typeof result === 'string' ? result : JSON.stringify(result);
}
