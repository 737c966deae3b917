import type { ContentItem } from '@switchyard/contracts';
import { invalid, isPlainObject, type JsonObject } from '@switchyard/kernel';
import { readCallName, turnOfItem, type WaitingCall } from '../projections/openai/openai-ids';
import { objectsOf, optionalObject, optionalText, stringOf } from './typed';

/** A piece of what a client sends: what it says itself, and what it gives back of what was said before. */
export type InputItem =
  | { kind: 'user' | 'assistant' | 'instructions'; contents: ContentItem[]; ownTurn: string | null }
  | { kind: 'call'; id: string; name: string; arguments: unknown; ownTurn: string | null }
  | { kind: 'output'; id: string; output: string; waits: WaitingCall | null; ownTurn: string | null }
  | { kind: 'known'; ownTurn: string | null };

const text = (value: string): ContentItem => ({ type: 'text', text: value });

/** The words of an output or a message: a text, or the texts of its parts. */
function textsOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) throw invalid(path, 'must be a text or a list of parts');
  return value
    .map((part: unknown, at) => {
      const words = isPlainObject(part) ? (part['text'] ?? part['refusal']) : undefined;
      if (typeof words !== 'string') throw invalid(`${path}[${at}]`, 'must be a part with text');
      return words;
    })
    .join('');
}

function imageOf(part: JsonObject, path: string): ContentItem {
  const image = part['image_url'];
  const url = isPlainObject(image) ? image['url'] : image;
  if (typeof url !== 'string') throw invalid(`${path}.image_url`, 'must be an address: files are not kept here');
  const detail = optionalText(isPlainObject(image) ? image['detail'] : part['detail'], `${path}.detail`);
  return { type: 'image_url', image_url: { url, ...(detail === null ? {} : { detail }) } };
}

function audioOf(part: JsonObject, path: string): ContentItem {
  const audio = part['input_audio'];
  if (!isPlainObject(audio)) throw invalid(`${path}.input_audio`, 'must be an object');
  const format = stringOf(audio['format'], `${path}.input_audio.format`);
  const data = stringOf(audio['data'], `${path}.input_audio.data`);
  return { type: 'audio', audio_url: { url: `data:audio/${format};base64,${data}` } };
}

function fileOf(part: JsonObject, path: string): ContentItem {
  const file = optionalObject(part['file'], `${path}.file`) ?? part;
  if (file['file_id'] !== undefined && file['file_id'] !== null)
    throw invalid(`${path}.file_id`, 'is not supported: files are not kept here');
  const name = optionalText(file['filename'], `${path}.filename`);
  const url = optionalText(file['file_url'], `${path}.file_url`);
  const data = optionalText(file['file_data'], `${path}.file_data`);
  if (url === null && data === null)
    throw invalid(`${path}.file_data`, 'must be the data of a file, or file_url its address');
  return {
    type: 'file',
    file_info: {
      ...(name === null ? {} : { name }),
      ...(url === null ? {} : { url }),
      ...(data === null ? {} : { data }),
    },
  };
}

export function contentsOf(content: unknown, path: string): ContentItem[] {
  if (typeof content === 'string') return [text(content)];
  if (!Array.isArray(content)) throw invalid(path, 'must be a text or a list of parts');
  return content.map((part: unknown, at) => {
    const where = `${path}[${at}]`;
    if (!isPlainObject(part)) throw invalid(where, 'must be an object');
    switch (part['type']) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return text(stringOf(part['text'], `${where}.text`));
      case 'input_image':
      case 'image_url':
        return imageOf(part, where);
      case 'input_audio':
        return audioOf(part, where);
      case 'input_file':
      case 'file':
        return fileOf(part, where);
      default:
        throw invalid(`${where}.type`, 'is not supported');
    }
  });
}

function messageOf(item: JsonObject, path: string): InputItem {
  const ownTurn = turnOfItem(optionalText(item['id'], `${path}.id`));
  switch (item['role']) {
    case 'user':
      return { kind: 'user', contents: contentsOf(item['content'], `${path}.content`), ownTurn };
    case 'assistant':
      return { kind: 'assistant', contents: [text(textsOf(item['content'], `${path}.content`))], ownTurn };
    case 'system':
    case 'developer':
      return { kind: 'instructions', contents: [text(textsOf(item['content'], `${path}.content`))], ownTurn };
    default:
      throw invalid(`${path}.role`, 'must be user, assistant, system or developer');
  }
}

export function outputOf(callId: string, output: unknown, path: string): InputItem {
  const waits = readCallName(callId);
  return { kind: 'output', id: callId, output: textsOf(output, path), waits, ownTurn: waits?.turnId ?? null };
}

/** A call as it is given back. `paths` are those of its name and its arguments. */
export function callOf(
  id: string,
  name: unknown,
  args: unknown,
  paths: { name: string; arguments: string },
): InputItem {
  const text = optionalText(args, paths.arguments) ?? '';
  let read: unknown = text;
  try {
    read = text === '' ? {} : JSON.parse(text);
  } catch {
    // Arguments that are no JSON stay the text that they are.
  }
  return {
    kind: 'call',
    id,
    name: stringOf(name, paths.name),
    arguments: read,
    ownTurn: readCallName(id)?.turnId ?? null,
  };
}

/** The items of an input, in one form. A text is what the user says. */
export function readItems(input: unknown): InputItem[] {
  if (typeof input === 'string') return [{ kind: 'user', contents: [text(input)], ownTurn: null }];
  if (!Array.isArray(input)) throw invalid('input', 'must be a text or a list of items');
  return input.map((item: unknown, at): InputItem => {
    const path = `input[${at}]`;
    if (!isPlainObject(item)) throw invalid(path, 'must be an object');
    switch (item['type']) {
      case undefined:
      case 'message':
        return messageOf(item, path);
      case 'function_call':
        return callOf(stringOf(item['call_id'], `${path}.call_id`), item['name'], item['arguments'], {
          name: `${path}.name`,
          arguments: `${path}.arguments`,
        });
      case 'function_call_output':
        return outputOf(stringOf(item['call_id'], `${path}.call_id`), item['output'], `${path}.output`);
      case 'item_reference': {
        const ownTurn = turnOfItem(item['id']);
        if (ownTurn === null) throw invalid(`${path}.id`, 'names no item of an answer');
        return { kind: 'known', ownTurn };
      }
      case 'reasoning':
      case 'mcp_call':
        return { kind: 'known', ownTurn: turnOfItem(item['id']) };
      default:
        throw invalid(`${path}.type`, 'is not supported');
    }
  });
}

/** The messages of a chat completion, in the same form. */
export function readMessages(messages: unknown): InputItem[] {
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('messages', 'must be a list of messages');
  return messages.flatMap((message: unknown, at): InputItem[] => {
    const path = `messages[${at}]`;
    if (!isPlainObject(message)) throw invalid(path, 'must be an object');
    if (message['role'] === 'tool') {
      const callId = stringOf(message['tool_call_id'], `${path}.tool_call_id`);
      return [outputOf(callId, message['content'], `${path}.content`)];
    }
    const calls = objectsOf(message['tool_calls'], `${path}.tool_calls`);
    optionalText(message['name'], `${path}.name`);
    const said = messageOf({ ...message, content: message['content'] ?? '' }, path);
    return [
      ...(calls.length > 0 && textsOf(message['content'], `${path}.content`) === '' ? [] : [said]),
      ...calls.map((call, index) => chatCallOf(call, `${path}.tool_calls[${index}]`)),
    ];
  });
}

function chatCallOf(call: JsonObject, path: string): InputItem {
  if (!isPlainObject(call['function'])) throw invalid(`${path}.function`, 'must be a call of a function');
  const { name, arguments: args } = call['function'];
  const paths = { name: `${path}.function.name`, arguments: `${path}.function.arguments` };
  return callOf(stringOf(call['id'], `${path}.id`), name, args, paths);
}
