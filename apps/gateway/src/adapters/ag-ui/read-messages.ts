import type { ContentItem } from '@switchyard/contracts';
import { invalid, isPlainObject, type JsonObject } from '@switchyard/kernel';
import { callOf, type InputItem, outputOf } from '../../turn-events/client-input-item';
import { objectsOf, optionalText, stringOf } from '../../turn-events/read-json-fields';

const text = (value: string): ContentItem => ({ type: 'text', text: value });

function addressOf(source: unknown, path: string): string {
  if (!isPlainObject(source)) throw invalid(path, 'must be an object');
  const value = stringOf(source['value'], `${path}.value`);
  if (source['type'] === 'url') return value;
  if (source['type'] !== 'data') throw invalid(`${path}.type`, 'must be url or data: files are not kept here');
  return `data:${stringOf(source['mimeType'], `${path}.mimeType`)};base64,${value}`;
}

function contentOf(part: JsonObject, path: string): ContentItem {
  const { type, source } = part;
  switch (type) {
    case 'text':
      return text(stringOf(part['text'], `${path}.text`));
    case 'image':
      return { type: 'image_url', image_url: { url: addressOf(source, `${path}.source`) } };
    case 'audio':
      return { type: 'audio', audio_url: { url: addressOf(source, `${path}.source`) } };
    case 'document':
      return { type: 'file', file_info: { url: addressOf(source, `${path}.source`) } };
    default:
      throw invalid(`${path}.type`, 'is not supported');
  }
}

function contentsOf(content: unknown, path: string): ContentItem[] {
  if (typeof content === 'string') return [text(stringOf(content, path))];
  const parts = objectsOf(content, path).map((part, at) => contentOf(part, `${path}[${at}]`));
  if (parts.length === 0) throw invalid(path, 'must be a string or a list of parts');
  return parts;
}

const optionalTextOf = (content: unknown, path: string): string => {
  if (content === undefined || content === null) return '';
  if (typeof content !== 'string') throw invalid(path, 'must be a string');
  return content;
};

function assistantOf(message: JsonObject, path: string): InputItem[] {
  const words = optionalTextOf(message['content'], `${path}.content`);
  const calls = objectsOf(message['toolCalls'], `${path}.toolCalls`).map((call, at) => {
    const where = `${path}.toolCalls[${at}]`;
    const own = call['function'];
    if (!isPlainObject(own)) throw invalid(`${where}.function`, 'must be an object');
    const paths = { name: `${where}.function.name`, arguments: `${where}.function.arguments` };
    return callOf(stringOf(call['id'], `${where}.id`), own['name'], own['arguments'], paths);
  });
  const items: InputItem[] = words === '' ? [] : [{ kind: 'assistant', contents: [text(words)], ownTurn: null }];
  return [...items, ...calls.map((call) => ({ ...call, ownTurn: null }))];
}

function itemsOf(message: JsonObject, path: string): InputItem[] {
  const content = message['content'];
  optionalText(message['id'], `${path}.id`);
  switch (message['role']) {
    case 'user':
      return [{ kind: 'user', contents: contentsOf(content, `${path}.content`), ownTurn: null }];
    case 'assistant':
      return assistantOf(message, path);
    case 'tool': {
      const id = stringOf(message['toolCallId'], `${path}.toolCallId`);
      const isEmpty = content === undefined || content === null || content === '';
      const output = isEmpty ? optionalText(message['error'], `${path}.error`) : content;
      return [{ ...outputOf(id, output, `${path}.content`), ownTurn: null }];
    }
    case 'system':
    case 'developer': {
      const words = optionalTextOf(content, `${path}.content`);
      return words === '' ? [] : [{ kind: 'instructions', contents: [text(words)], ownTurn: null }];
    }
    // Activity and reasoning messages are not part of the conversation.
    case 'activity':
    case 'reasoning':
      return [];
    default:
      throw invalid(`${path}.role`, 'must be user, assistant, tool, system, developer, activity or reasoning');
  }
}

/** The messages of a run, in the form of all protocols. */
export const readRunMessages = (messages: readonly JsonObject[]): InputItem[] =>
  messages.flatMap((message, at) => itemsOf(message, `messages[${at}]`));
