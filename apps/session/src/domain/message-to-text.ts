import { type ContentItem, readFile, type ToolCallRecord, wordsOfFile } from '@switchyard/contracts';

export interface Spoken {
  role: string;
  content: readonly ContentItem[];
  toolCalls?: readonly ToolCallRecord[] | null;
  name?: string | null;
}

const fileLabel = (name: unknown): string => (typeof name === 'string' && name !== '' ? `[file ${name}]` : '[file]');

/** Placeholder for an attachment without its bytes. */
export function attachmentLabel(item: ContentItem): string {
  switch (item.type) {
    case 'text':
      return item.text ?? '';
    case 'image_url':
      return '[image]';
    case 'audio':
      return '[audio]';
    case 'file':
      return fileLabel(item.file_info?.['name']);
  }
}

/** Of a file its text, where it has one. */
function textOfItem(item: ContentItem): string {
  if (item.type !== 'file') return attachmentLabel(item);
  const file = readFile(item);
  return file.kind === 'image' || file.kind === 'audio' ? attachmentLabel(item) : wordsOfFile(file);
}

/** Everything of a message that a model reads as text: counted, and shown to the model that summarises. */
export function textOf(message: Spoken): string {
  const messages = message.content.map(textOfItem);
  const calls = (message.toolCalls ?? []).map((call) => `${call.name}(${JSON.stringify(call.arguments ?? null)})`);
  return [...messages, ...calls].filter((part) => part !== '').join('\n');
}

/** Framing of one message, and what providers bill for an attachment: a picture in tiles, sound by the second. */
const MESSAGE_TOKENS = 4;
const IMAGE_TOKENS = 765;
const AUDIO_TOKENS = 500;

export function framingTokens(message: Spoken): number {
  const attachments = message.content.map((item) => {
    const kind = item.type === 'file' ? readFile(item).kind : item.type;
    return kind === 'image_url' || kind === 'image' ? IMAGE_TOKENS : kind === 'audio' ? AUDIO_TOKENS : 0;
  });
  return attachments.reduce((sum, tokens) => sum + tokens, MESSAGE_TOKENS);
}
