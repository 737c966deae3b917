import {
  checkContents,
  type ExecuteSettings,
  type ModelSettings,
  type OwnOfTurn,
  type StartChat,
  type StartExecute,
  type TurnRecord,
  type TurnResult,
  type TurnView,
} from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import type { ChatBody, ChatSettings, ExecuteBody } from './turns.dto';

const chatSettings = (settings: ChatSettings): ModelSettings => ({
  ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
  ...(settings.max_tokens === undefined ? {} : { max_tokens: settings.max_tokens }),
  ...(settings.top_p === undefined ? {} : { top_p: settings.top_p }),
  ...(settings.frequency_penalty === undefined ? {} : { frequency_penalty: settings.frequency_penalty }),
  ...(settings.presence_penalty === undefined ? {} : { presence_penalty: settings.presence_penalty }),
});

const executeSettings = ({ maxTokens, ...rest }: ExecuteSettings): ModelSettings =>
  chatSettings({ ...rest, ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }) });

const own = ({ localTools, responseSchema }: OwnOfTurn): OwnOfTurn => ({
  ...(localTools === undefined ? {} : { localTools }),
  ...(responseSchema === undefined ? {} : { responseSchema }),
});

/** `stream` is no part of what is asked: the same turn may be read in either way. */
export function startChat(agentId: string, turnId: string, body: ChatBody): StartChat {
  checkContents(body.contents);
  return {
    agentId,
    turnId,
    contents: body.contents,
    ...(body.session_id === undefined ? {} : { sessionId: body.session_id.toLowerCase() }),
    ...(body.settings ? { settings: chatSettings(body.settings) } : {}),
    ...(body.settings?.chat_mode ? { chatMode: body.settings.chat_mode } : {}),
    ...(body.settings?.disable_web_search === undefined ? {} : { disableWebSearch: body.settings.disable_web_search }),
    ...own(body),
  };
}

export const startExecute = (agentId: string, turnId: string, body: ExecuteBody): StartExecute => ({
  agentId,
  turnId,
  inputs: body.inputs ?? {},
  ...(body.settings ? { settings: executeSettings(body.settings) } : {}),
  ...own(body),
});

export const chatData = (result: TurnResult): object => ({
  session_id: result.session_id,
  turn_id: result.turn_id,
  message_id: result.message_id,
  status: result.status,
  answer: result.answer,
  ...(result.reasoning === undefined ? {} : { reasoning: result.reasoning }),
  content: result.content,
  tool_executions: result.tool_executions,
  evidence: result.evidence,
  interaction: result.interaction,
  finish_reason: result.finish_reason,
  tokens_used: result.tokens_used,
  token_usage: result.token_usage,
  execution_time: result.execution_time,
  ...(result.output === undefined ? {} : { output: result.output }),
});

export const turnView = (turn: TurnRecord): TurnView => ({
  id: turn.id,
  agentId: turn.agentId,
  sessionId: turn.sessionId,
  status: turn.status,
  startedAt: turn.startedAt,
  finishedAt: turn.finishedAt,
  error: turn.error,
});

/** Where a reader goes on: the query, or the header that browsers send by themselves. */
export function afterOf(query: number | undefined, header: string | undefined): number {
  if (query !== undefined) return query;
  if (header === undefined || header === '') return 0;
  if (!/^\d{1,15}$/.test(header)) throw invalid('Last-Event-ID', 'must be the number of a frame');
  return Number(header);
}
