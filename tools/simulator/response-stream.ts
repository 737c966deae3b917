import type { ServerResponse } from 'node:http';
import type { Answer } from './answer';
import { EventStream } from './reply';

interface Text {
  type: 'output_text';
  text: string;
  annotations: [];
  logprobs: [];
}

export interface MessageItem {
  id: string;
  type: 'message';
  status: string;
  role: 'assistant';
  content: Text[];
}

export interface CallItem {
  id: string;
  type: 'function_call';
  status: string;
  call_id: string;
  name: string;
  arguments: string;
}

export interface WholeResponse {
  status: string;
  output: (MessageItem | CallItem)[];
}

/** The events of OpenAI's Responses API: every item and every part of it is begun, grows and is closed. */
export async function streamResponse(response: ServerResponse, answer: Answer, whole: WholeResponse): Promise<void> {
  const stream = new EventStream(response);
  let sequence = -1;
  const send = (type: string, data: object, delayMs = 0): Promise<void> =>
    stream.send(eventOf(type, (sequence += 1), data), delayMs);

  const begun = { ...whole, status: 'in_progress', incomplete_details: null, output: [], usage: null };
  await send('response.created', { response: begun });
  await send('response.in_progress', { response: begun });
  for (const [index, item] of whole.output.entries()) {
    const path = { item_id: item.id, output_index: index };
    const empty = item.type === 'message' ? { content: [] } : { arguments: '' };
    if (item.type === 'function_call' && answer.cutAfter !== null) return stream.cut();
    const opened = { ...item, ...empty, status: 'in_progress' };
    const delayMs = answer.tokens.length === 0 && index === 0 ? answer.tailDelayMs : 0;
    await send('response.output_item.added', { output_index: index, item: opened }, delayMs);
    if (item.type === 'message') {
      const isCut = await sendText({ ...path, content_index: 0 }, item);
      if (isCut) return stream.cut();
    } else await sendArguments(path, item.arguments);
    if (stream.isGone) return;
    await send('response.output_item.done', { output_index: index, item });
  }
  if (answer.cutAfter !== null) return stream.cut();
  const end = whole.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
  stream.end(eventOf(end, sequence + 1, { response: whole }));

  /** Resolves to true where the script cuts the connection. */
  async function sendText(entry: object, item: MessageItem): Promise<boolean> {
    const [part] = item.content;
    await send('response.content_part.added', { ...entry, part: { ...part, text: '' } });
    for (const [sent, token] of answer.tokens.entries()) {
      if (sent === answer.cutAfter) return true;
      await send('response.output_text.delta', { ...entry, delta: token.text, logprobs: [] }, token.delayMs);
      if (stream.isGone) return false;
    }
    if (answer.cutAfter !== null) return true;
    await send('response.output_text.done', { ...entry, text: part?.text, logprobs: [] });
    await send('response.content_part.done', { ...entry, part });
    return false;
  }

  /** In halves: a client that joins them wrongly shows it. */
  async function sendArguments(entry: object, text: string): Promise<void> {
    const half = Math.ceil(text.length / 2);
    for (const delta of [text.slice(0, half), text.slice(half)])
      await send('response.function_call_arguments.delta', { ...entry, delta });
    await send('response.function_call_arguments.done', { ...entry, arguments: text });
  }
}

const eventOf = (type: string, sequence: number, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...data })}\n\n`;
