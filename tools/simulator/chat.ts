import type { ServerResponse } from 'node:http';
import { Answer, answerTo } from './answer';
import { CallJournal } from './call-journal';
import { type WireMessage, positionOf } from './conversation';
import { EventStream, playWhole, sendError, sendJson, modelIn } from './reply';

export const journal = new CallJournal();

let calls = 0;
const newCallId = (prefix: string): string => `${prefix}-sim${(calls += 1).toString(36)}${Date.now().toString(36)}`;

const usageOf = (answer: Answer): object => ({
  prompt_tokens: answer.usage.promptTokens,
  completion_tokens: answer.usage.completionTokens,
  total_tokens: answer.usage.promptTokens + answer.usage.completionTokens,
});

const toolCallsOf = (answer: Answer, id: string): object[] =>
  answer.toolCalls.map((call, index) => ({
    id: `call_${id.slice(-10)}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));

const wantsUsage = (body: Record<string, unknown>): boolean =>
  (body['stream_options'] as { include_usage?: unknown } | null | undefined)?.include_usage === true;

const isMessage = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `POST /v1/chat/completions` */
export async function chat(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) {
    sendError(response, 400, "'messages' must be a list with at least one message.");
    return;
  }
  const answer = answerTo({
    messages: messages as WireMessage[],
    tools: body['tools'],
    maxTokens: body['max_completion_tokens'] ?? body['max_tokens'],
    stop: body['stop'],
    responseFormat: body['response_format'],
  });
  journal.note(positionOf(messages as WireMessage[]).newestUserText, answer, response);
  const model = modelIn(body, 'sim-chat');
  const id = newCallId('chatcmpl');
  const created = Math.floor(Date.now() / 1000);
  if (body['stream'] === true) return streamChat(response, answer, { id, model, created, withUsage: wantsUsage(body) });

  if (!(await playWhole(response, answer))) return;
  const text = answer.tokens.map((token) => token.text).join('');
  const calls = toolCallsOf(answer, id);
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  sendJson(response, 200, {
    id,
    object: 'chat.completion',
    created,
    model,
    system_fingerprint: 'simulator',
    choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finishReason }],
    usage: usageOf(answer),
  });
}

interface StreamFacts {
  id: string;
  model: string;
  created: number;
  withUsage: boolean;
}

async function streamChat(response: ServerResponse, answer: Answer, facts: StreamFacts): Promise<void> {
  const stream = new EventStream(response);
  const head = `data: {"id":${JSON.stringify(facts.id)},"object":"chat.completion.chunk","created":${facts.created},"model":${JSON.stringify(facts.model)},"system_fingerprint":"simulator",`;
  const chunk = (delta: string, finish: string): string =>
    `${head}"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}\n\n`;

  let sent = 0;
  for (const token of answer.tokens) {
    if (sent === answer.cutAfter) return stream.cut();
    const opening = sent === 0 ? chunk('{"role":"assistant","content":""}', 'null') : '';
    await stream.send(opening + chunk(`{"content":${JSON.stringify(token.text)}}`, 'null'), token.delayMs);
    if (stream.isGone) return;
    sent += 1;
  }
  if (answer.cutAfter !== null) return stream.cut();
  if (sent === 0) await stream.send(chunk('{"role":"assistant","content":null}', 'null'), answer.tailDelayMs);
  for (const [index, call] of (
    toolCallsOf(answer, facts.id) as { id: string; function: { name: string; arguments: string } }[]
  ).entries()) {
    const opening = { index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } };
    await stream.send(chunk(JSON.stringify({ tool_calls: [opening] }), 'null'), 0);
    // In halves, as real upstreams send arguments: whoever joins them wrongly shows it.
    const half = Math.ceil(call.function.arguments.length / 2);
    for (const part of [call.function.arguments.slice(0, half), call.function.arguments.slice(half)]) {
      await stream.send(chunk(JSON.stringify({ tool_calls: [{ index, function: { arguments: part } }] }), 'null'), 0);
    }
  }
  const usage = facts.withUsage ? `${head}"choices":[],"usage":${JSON.stringify(usageOf(answer))}}\n\n` : '';
  stream.end(`${chunk('{}', JSON.stringify(answer.finishReason))}${usage}data: [DONE]\n\n`);
}

/** `POST /v1/completions`: the same answers in the older form. */
export async function complete(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
  const { prompt } = body;
  const text = Array.isArray(prompt) ? prompt.filter((part) => typeof part === 'string').join('\n') : prompt;
  if (typeof text !== 'string') {
    sendError(response, 400, "'prompt' must be a text or a list of texts.");
    return;
  }
  const answer = answerTo({
    messages: [{ role: 'user', content: text }],
    maxTokens: body['max_tokens'],
    stop: body['stop'],
  });
  const head = {
    id: newCallId('cmpl'),
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: modelIn(body, 'sim-chat'),
    system_fingerprint: 'simulator',
  };
  const choice = (part: string, finish: string | null): object => ({
    text: part,
    index: 0,
    logprobs: null,
    finish_reason: finish,
  });
  if (body['stream'] !== true) {
    if (!(await playWhole(response, answer))) return;
    const whole = answer.tokens.map((token) => token.text).join('');
    sendJson(response, 200, { ...head, choices: [choice(whole, answer.finishReason)], usage: usageOf(answer) });
    return;
  }
  const stream = new EventStream(response);
  const event = (data: object): string => `data: ${JSON.stringify({ ...head, ...data })}\n\n`;
  for (const [sent, token] of answer.tokens.entries()) {
    if (sent === answer.cutAfter) return stream.cut();
    await stream.send(event({ choices: [choice(token.text, null)] }), token.delayMs);
    if (stream.isGone) return;
  }
  if (answer.cutAfter !== null) return stream.cut();
  const usage = wantsUsage(body) ? event({ choices: [], usage: usageOf(answer) }) : '';
  stream.end(`${event({ choices: [choice('', answer.finishReason)] })}${usage}data: [DONE]\n\n`);
}
