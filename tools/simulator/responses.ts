import type { ServerResponse } from 'node:http';
import { Answer, answerTo } from './answer';
import type { WireMessage } from './conversation';
import { playWhole, sendError, sendJson, modelIn } from './reply';
import { CallItem, MessageItem, WholeResponse, streamResponse } from './response-stream';

let responses = 0;

/** Items of the Responses API as the messages that they stand for. */
function messagesOf(input: unknown, instructions: unknown): WireMessage[] {
  const system: WireMessage[] = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  if (typeof input === 'string') return [...system, { role: 'user', content: input }];
  if (!Array.isArray(input)) return [];
  const items = input.map((item: unknown): WireMessage => {
    const { type, role, content, output, name } = (item ?? {}) as Record<string, unknown>;
    if (type === 'function_call_output') return { role: 'tool', content: output };
    if (type === 'function_call') return { role: 'assistant', content: name };
    return { role, content };
  });
  return [...system, ...items];
}

const outputOf = (answer: Answer, id: string, status: string): WholeResponse['output'] => {
  const text = answer.tokens.map((token) => token.text).join('');
  const message: MessageItem = {
    id: `msg_${id}`,
    type: 'message',
    status,
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
  const calls = answer.toolCalls.map((call, index): CallItem => ({
    id: `fc_${id}_${index}`,
    type: 'function_call',
    status: 'completed',
    call_id: `call_${id}_${index}`,
    name: call.name,
    arguments: call.arguments,
  }));
  return text === '' ? calls : [message, ...calls];
};

/** `POST /v1/responses` */
export async function respond(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
  const messages = messagesOf(body['input'], body['instructions']);
  if (messages.length === 0) {
    sendError(response, 400, "'input' must be a text or a list of items.", 'input');
    return;
  }
  const format = (body['text'] as { format?: unknown } | undefined)?.format;
  const answer = answerTo({
    messages,
    tools: body['tools'],
    maxTokens: body['max_output_tokens'],
    responseFormat: format,
  });
  const id = `sim${(responses += 1).toString(36)}${Date.now().toString(36)}`;
  const status = answer.finishReason === 'length' ? 'incomplete' : 'completed';
  const whole = {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: modelIn(body, 'sim-chat'),
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    output: outputOf(answer, id, status),
    usage: {
      input_tokens: answer.usage.promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: answer.usage.completionTokens,
      output_tokens_details: { reasoning_tokens: answer.usage.reasoningTokens },
      total_tokens: answer.usage.promptTokens + answer.usage.completionTokens,
    },
  };
  if (body['stream'] === true) await streamResponse(response, answer, whole);
  else if (await playWhole(response, answer)) sendJson(response, 200, whole);
}
