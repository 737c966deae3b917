import type { SwitchyardClient } from '../client';
import type { Message } from '../records/session';
import type { ContentItem } from '../records/turn';
import type { SwitchyardMessage } from './ui-message-types';

type MessagePart = SwitchyardMessage['parts'][number];

/**
 * The conversation of a session as UI messages: what a page shows first, before `resumeStream` adds what is under way.
 */
export async function readHistory(client: SwitchyardClient, sessionId: string): Promise<SwitchyardMessage[]> {
  const messages: SwitchyardMessage[] = [];
  for await (const message of client.sessions.transcript(sessionId)) add(messages, message);
  return messages;
}

function add(messages: SwitchyardMessage[], message: Message): void {
  const { id, role, turnId, sessionId } = message;
  if (role === 'user')
    messages.push({ id, role, parts: message.content.flatMap((item) => partOf(item as ContentItem)) });
  if (role !== 'assistant' || turnId === null) return;
  let answer = messages.at(-1);
  // All that the agent says in a turn is one message, which bears the turn's id.
  if (answer?.id !== turnId) {
    answer = { id: turnId, role, metadata: { turnId, sessionId }, parts: [] };
    messages.push(answer);
  }
  if (message.reasoning) answer.parts.push({ type: 'reasoning', text: message.reasoning, state: 'done' });
  answer.parts.push(...message.content.flatMap((item) => partOf(item as ContentItem)));
}

function partOf(item: ContentItem): MessagePart[] {
  if (item.type === 'text') return [{ type: 'text', text: item.text }];
  if (item.type === 'image_url') return [{ type: 'file', mediaType: 'image/*', url: item.image_url.url }];
  if (item.type === 'audio') return [{ type: 'file', mediaType: 'audio/*', url: item.audio_url.url }];
  return [];
}
