import type { ContentItem, LocalTool, NewMessage } from '@switchyard/contracts';
import { type AppError, invalid, isId, type JsonObject } from '@switchyard/kernel';
import { choiceIn } from '../../turn-events/submit-client-answers';
import type { CallAnswer } from '../../turn-events/read-client-input';
import { readInput } from '../../turn-events/read-client-input';
import { localToolsOf } from '../../turn-events/turn-settings-from-request';
import type { InputItem } from '../../turn-events/client-input-item';
import { isOwnTool } from './platform-tool-ids';
import { readCallName } from '../../turn-events/client-call-ids';
import type { RunAgentBody } from './ag-ui.dto';
import { objectsOf, stringOf } from '../../turn-events/read-json-fields';
import { readRunMessages } from './read-messages';

/** The action of a run: answer an interrupt, return tool results, or send a new message. */
export type ReadRun =
  | { kind: 'resume'; interactionId: string; output: string | null }
  | { kind: 'answers'; answers: CallAnswer[] }
  | {
      kind: 'said';
      contents: ContentItem[];
      history: NewMessage[];
      instructions: string | null;
      /** The messages of the first request, without those that this run has sent to the client since. */
      request: readonly JsonObject[];
      /** The client has part of the answer: the run must exist already. */
      isAgain: boolean;
    };

function resumeOf(entries: readonly JsonObject[]): ReadRun | null {
  const [entry] = entries;
  if (!entry) return null;
  if (entries.length > 1) throw invalid('resume', 'must answer one interrupt: no more than one waits at a time');
  const { interruptId, status, payload } = entry;
  if (!isId(interruptId)) throw invalid('resume[0].interruptId', 'must be the id of an interrupt');
  if (status === 'cancelled') return { kind: 'resume', interactionId: interruptId.toLowerCase(), output: null };
  if (status !== 'resolved') throw invalid('resume[0].status', 'must be resolved or cancelled');
  choiceIn(payload, 'resume[0].payload');
  return { kind: 'resume', interactionId: interruptId.toLowerCase(), output: JSON.stringify(payload) };
}

/** Results of the newest calls of the client's tools, if no user message follows them. */
function answersIn(items: readonly InputItem[]): CallAnswer[] {
  const since = items.slice(items.findLastIndex(({ kind }) => kind === 'user') + 1);
  const answers = since.flatMap((item): CallAnswer[] => {
    const call = item.kind === 'output' ? readCallName(item.id) : null;
    return call && item.kind === 'output' ? [{ call, output: item.output }] : [];
  });
  const newest = answers.at(-1)?.call;
  const segment = Math.max(...answers.map(({ call }) => (call.turnId === newest?.turnId ? call.segment : 0)));
  return answers.filter(({ call }) => call.turnId === newest?.turnId && call.segment === segment);
}

const contextOf = (context: unknown): string[] =>
  objectsOf(context, 'context').map(({ description, value }, at) => {
    const about = stringOf(description, `context[${at}].description`);
    if (typeof value !== 'string') throw invalid(`context[${at}].value`, 'must be a string');
    return `${about}: ${value}`;
  });

const OF_AGENT = new Set<unknown>(['assistant', 'reasoning', 'activity']);

const isOfAgent = ({ role, toolCallId }: JsonObject): boolean =>
  OF_AGENT.has(role) || (role === 'tool' && typeof toolCallId === 'string' && isOwnTool(toolCallId));

export const nothingNew = (): AppError =>
  invalid('messages', 'must end with what the user says, or with results of tools');

export function readRun(body: RunAgentBody): ReadRun {
  const messages = objectsOf(body.messages, 'messages');
  const all = readRunMessages(messages);
  // A client that repeats a run after a broken connection has part of the answer.
  const request = messages.slice(0, messages.findLastIndex((message) => !isOfAgent(message)) + 1);
  const isAgain = request.length < messages.length;
  const items = isAgain ? readRunMessages(request) : all;
  const context = contextOf(body.context);
  const resume = resumeOf(objectsOf(body.resume, 'resume'));
  if (resume) return resume;
  const answers = answersIn(items);
  if (answers.length > 0) return { kind: 'answers', answers };
  const input = readInput(items, 'messages', true);
  if (input.kind === 'answers' || input.contents === null) throw nothingNew();
  const words = [...(input.instructions === null ? [] : [input.instructions]), ...context];
  const instructions = words.length > 0 ? words.join('\n\n') : null;
  return { kind: 'said', contents: input.contents, history: input.history, instructions, request, isAgain };
}

/** Tools of the client are local tools of one turn. */
export const toolsOf = (tools: unknown): LocalTool[] =>
  localToolsOf(
    objectsOf(tools, 'tools').map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
    })),
  );
