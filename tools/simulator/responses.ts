import type { ServerResponse } from 'node:http';
import { Answer, answerTo } from './answer';
import type { WireMessage } from './conversation';
import { EventStream, playWhole, sendError, sendJson, modelIn } from './reply';

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

const outputOf = (answer: Answer, id: string, text: string): object[] => [
  ...(text === ''
    ? []
    : [
        {
          id: `msg_${id}`,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ]),
  ...answer.toolCalls.map((call, index) => ({
    id: `fc_${id}_${index}`,
    type: 'function_call',
    status: 'completed',
    call_id: `call_${id}_${index}`,
    name: call.name,
    arguments: call.arguments,
  })),
];

/** `POST /v1/responses` */
export async function respond(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
  const messages = messagesOf(body['input'], body['instructions']);
  if (messages.length === 0) {
    sendError(response, 400, "'input' must be a text or a list of items.");
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
  const text = answer.tokens.map((token) => token.text).join('');
  const facts = {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: modelIn(body, 'sim-chat'),
  };
  const whole = {
    ...facts,
    status: answer.finishReason === 'length' ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: answer.finishReason === 'length' ? { reason: 'max_output_tokens' } : null,
    output: outputOf(answer, id, text),
    usage: {
      input_tokens: answer.usage.promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: answer.usage.completionTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: answer.usage.promptTokens + answer.usage.completionTokens,
    },
  };
  if (body['stream'] !== true) {
    if (await playWhole(response, answer)) sendJson(response, 200, whole);
    return;
  }
  await streamResponse(response, answer, { facts, whole, itemId: `msg_${id}`, text });
}

interface StreamParts {
  facts: object;
  whole: { output: object[] };
  itemId: string;
  text: string;
}

async function streamResponse(response: ServerResponse, answer: Answer, parts: StreamParts): Promise<void> {
  const stream = new EventStream(response);
  let sequence = -1;
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: (sequence += 1), ...data })}\n\n`;
  const place = { item_id: parts.itemId, output_index: 0, content_index: 0 };
  await stream.send(event('response.created', { response: { ...parts.facts, status: 'in_progress', output: [] } }), 0);
  if (answer.tokens.length > 0) {
    await stream.send(
      event('response.output_item.added', {
        output_index: 0,
        item: { id: parts.itemId, type: 'message', status: 'in_progress', role: 'assistant', content: [] },
      }),
      0,
    );
    await stream.send(
      event('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } }),
      0,
    );
  }
  for (const [sent, token] of answer.tokens.entries()) {
    if (sent === answer.cutAfter) return stream.cut();
    await stream.send(event('response.output_text.delta', { ...place, delta: token.text }), token.delayMs);
    if (stream.isGone) return;
  }
  if (answer.cutAfter !== null) return stream.cut();
  if (answer.tokens.length > 0)
    await stream.send(event('response.output_text.done', { ...place, text: parts.text }), 0);
  for (const [index, item] of parts.whole.output.entries()) {
    await stream.send(event('response.output_item.done', { output_index: index, item }), 0);
  }
  stream.end(event('response.completed', { response: parts.whole }));
}
