import type { ServerResponse } from 'node:http';
import { Answer, answerTo } from './answer';
import { CallJournal } from './call-journal';
import { choicesIn, slots } from './choice-count';
import { type WireMessage, positionOf } from './conversation';
import { EventStream, playWhole, sendError, sendJson, modelIn } from './reply';

export const journal = new CallJournal();

let calls = 0;
const newCallId = (): string => `chatcmpl-sim${(calls += 1).toString(36)}${Date.now().toString(36)}`;

export const usageOf = (answer: Pick<Answer, 'usage'>): object => ({
  prompt_tokens: answer.usage.promptTokens,
  completion_tokens: answer.usage.completionTokens,
  total_tokens: answer.usage.promptTokens + answer.usage.completionTokens,
  ...(answer.usage.reasoningTokens > 0
    ? { completion_tokens_details: { reasoning_tokens: answer.usage.reasoningTokens } }
    : {}),
});

interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

const toolCallsOf = (answer: Answer, id: string, at: number): ToolCall[] =>
  answer.toolCalls.map((call, index) => ({
    id: `call_${id.slice(-10)}_${at * answer.toolCalls.length + index}`,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));

const joined = (tokens: Answer['tokens']): string => tokens.map((token) => token.text).join('');

export const wantsUsage = (body: Record<string, unknown>): boolean =>
  (body['stream_options'] as { include_usage?: unknown } | null | undefined)?.include_usage === true;

const isMessage = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `POST /v1/chat/completions` */
export async function chat(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) {
    sendError(response, 400, "'messages' must be a list with at least one message.");
    return;
  }
  const choices = choicesIn(response, body);
  if (choices === null) return;
  const answer = answerTo({
    messages: messages as WireMessage[],
    tools: body['tools'],
    maxTokens: body['max_completion_tokens'] ?? body['max_tokens'],
    stop: body['stop'],
    responseFormat: body['response_format'],
    choices,
  });
  journal.note(positionOf(messages as WireMessage[]).newestUserText, answer, response);
  const model = modelIn(body, 'sim-chat');
  const id = newCallId();
  const created = Math.floor(Date.now() / 1000);
  if (body['stream'] === true)
    return streamChat(response, answer, { id, model, created, choices, withUsage: wantsUsage(body) });

  if (!(await playWhole(response, answer))) return;
  const text = joined(answer.tokens);
  const thoughts = joined(answer.thinking);
  const choiceAt = (index: number): object => {
    const calls = toolCallsOf(answer, id, index);
    const message = {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...(thoughts === '' ? {} : { [answer.reasoningField]: thoughts }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return { index, message, logprobs: null, finish_reason: answer.finishReason };
  };
  sendJson(response, 200, {
    id,
    object: 'chat.completion',
    created,
    model,
    system_fingerprint: 'simulator',
    choices: slots(choices).map(choiceAt),
    usage: usageOf(answer),
  });
}

interface StreamFacts {
  id: string;
  model: string;
  created: number;
  choices: number;
  withUsage: boolean;
}

async function streamChat(response: ServerResponse, answer: Answer, facts: StreamFacts): Promise<void> {
  const stream = new EventStream(response);
  const head = `data: {"id":${JSON.stringify(facts.id)},"object":"chat.completion.chunk","created":${facts.created},"model":${JSON.stringify(facts.model)},"system_fingerprint":"simulator",`;
  const indexes = slots(facts.choices);
  const chunk = (index: number, delta: string, finish = 'null'): string =>
    `${head}"choices":[{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}\n\n`;
  /** The same for every choice, one after the other. */
  const chunks = (delta: string, finish?: string): string =>
    indexes.map((index) => chunk(index, delta, finish)).join('');

  let sent = 0;
  const pieces = [
    ...answer.thinking.map((token) => ({ ...token, field: answer.reasoningField })),
    ...answer.tokens.map((token) => ({ ...token, field: 'content' })),
  ];
  for (const { field, text, delayMs } of pieces) {
    if (sent === answer.cutAfter) return stream.cut();
    const opening = sent === 0 ? chunks('{"role":"assistant","content":""}') : '';
    await stream.send(opening + chunks(`{"${field}":${JSON.stringify(text)}}`), delayMs);
    if (stream.isGone) return;
    sent += 1;
  }
  if (answer.cutAfter !== null) return stream.cut();
  if (sent === 0) await stream.send(chunks('{"role":"assistant","content":null}'), answer.tailDelayMs);
  for (const index of indexes)
    for (const delta of callDeltas(toolCallsOf(answer, facts.id, index)))
      await stream.send(chunk(index, JSON.stringify({ tool_calls: [delta] })), 0);
  const usage = facts.withUsage ? `${head}"choices":[],"usage":${JSON.stringify(usageOf(answer))}}\n\n` : '';
  stream.end(`${chunks('{}', JSON.stringify(answer.finishReason))}${usage}data: [DONE]\n\n`);
}

/** Each call and then its arguments in halves, as real upstreams send them: a client that joins them wrongly shows it. */
const callDeltas = (calls: readonly ToolCall[]): object[] =>
  calls.flatMap(({ id, type, function: { name, arguments: text } }, index) => {
    const half = Math.ceil(text.length / 2);
    return [
      { index, id, type, function: { name, arguments: '' } },
      ...[text.slice(0, half), text.slice(half)].map((part) => ({ index, function: { arguments: part } })),
    ];
  });
