import { invalid, isPlainObject, type JsonObject } from '@switchyard/kernel';
import { turnOfItem } from './openai-ids';
import { callOf, type InputItem, outputOf } from '../../turn-events/client-input-item';
import { contentsOf, textItem, textsOf } from '../../turn-events/read-content-items';
import { objectsOf, optionalText, stringOf } from '../../turn-events/read-json-fields';

function messageOf(item: JsonObject, path: string): InputItem {
  const ownTurn = turnOfItem(optionalText(item['id'], `${path}.id`));
  switch (item['role']) {
    case 'user':
      return { kind: 'user', contents: contentsOf(item['content'], `${path}.content`), ownTurn };
    case 'assistant':
      return { kind: 'assistant', contents: [textItem(textsOf(item['content'], `${path}.content`))], ownTurn };
    case 'system':
    case 'developer':
      return { kind: 'instructions', contents: [textItem(textsOf(item['content'], `${path}.content`))], ownTurn };
    default:
      throw invalid(`${path}.role`, 'must be user, assistant, system or developer');
  }
}

/** The items of an input. A string is a user message. `isStored`: items may refer to stored ones. */
export function readItems(input: unknown, isStored: boolean): InputItem[] {
  if (typeof input === 'string') return [{ kind: 'user', contents: [textItem(input)], ownTurn: null }];
  if (!Array.isArray(input)) throw invalid('input', 'must be a string or a list of items');
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
        if (!isStored)
          throw invalid(path, 'refers to an item that is not looked up where store is false: give the item itself');
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
    const item = messageOf({ ...message, content: message['content'] ?? '' }, path);
    return [
      ...(calls.length > 0 && textsOf(message['content'], `${path}.content`) === '' ? [] : [item]),
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
