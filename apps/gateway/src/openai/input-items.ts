import type { ContentItem, MessageView, Page, TurnRecord } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import { callName, type StretchName } from '../projections/openai/openai-ids';

type Read = (after: number) => Promise<Page<MessageView>>;

const part = (item: ContentItem): JsonObject => {
  switch (item.type) {
    case 'text':
      return { type: 'input_text', text: item.text ?? '' };
    case 'image_url':
      return { type: 'input_image', image_url: item.image_url?.url ?? '', detail: item.image_url?.detail ?? 'auto' };
    case 'audio':
      return { type: 'input_audio', audio_url: item.audio_url?.url ?? '' };
    case 'file':
      return { type: 'input_file', ...item.file_info };
  }
};

/** What a response was asked with: the user's message, or after it the answers that its turn was given. */
export async function inputItemsOf(turn: TurnRecord, name: StretchName, read: Read): Promise<JsonObject> {
  const own: MessageView[] = [];
  for (let after = 0; turn.sessionId !== null;) {
    const { items } = await read(after);
    own.push(...items.filter(({ turnId }) => turnId === turn.id));
    const last = items.at(-1);
    if (!last || (own.length > 0 && last.turnId !== turn.id)) break;
    after = last.seq;
  }
  const data = own.flatMap((message): JsonObject[] => {
    if (message.role === 'user' && name.stretch === 1)
      return [
        {
          id: `in_${message.id}`,
          type: 'message',
          role: 'user',
          status: 'completed',
          content: message.content.map(part),
        },
      ];
    if (message.role === 'tool' && name.stretch > 1) {
      const callId = callName({ turnId: turn.id, stretch: name.stretch - 1, callId: message.toolCallId ?? '' });
      const output = message.content.map((item) => item.text ?? '').join('');
      return [{ id: `in_${message.id}`, type: 'function_call_output', call_id: callId, output, status: 'completed' }];
    }
    return [];
  });
  const ids = data.map(({ id }) => id);
  return { object: 'list', data, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null, has_more: false };
}
