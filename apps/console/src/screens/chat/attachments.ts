import type { ContentItem } from '@switchyard/client';

/** Something that goes with a message. */
export interface Attachment {
  name: string;
  item: ContentItem;
}

export type AttachmentKind = 'image' | 'audio' | 'text';

/** File types that the file dialog offers first. */
export const ACCEPTED = 'image/*,audio/*,text/*,.json,.ndjson,.csv,.md,.xml,.yaml,.yml,.log';

/** The API takes a data URI of so many characters. */
const URI_CHARS = 8 * 1024 * 1024;
/** The model reads a text file as part of the message. */
const TEXT_BYTES = 200_000;
/** The API takes 64 items, the text among them. */
export const MAX_ATTACHMENTS = 63;

const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|x-ndjson|yaml|x-yaml|javascript|sql)$)/u;
const TEXT_NAMES = /\.(?:txt|md|csv|tsv|json|ndjson|jsonl|xml|ya?ml|log|ini|toml|html?|css|[jt]sx?|py|sql|sh)$/iu;

export function kindOf({ name, type }: { name: string; type: string }): AttachmentKind | null {
  // Scripts may stand in it: the API refuses it as an image.
  if (type === 'image/svg+xml') return 'text';
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('audio/')) return 'audio';
  return TEXT_TYPES.test(type) || TEXT_NAMES.test(name) ? 'text' : null;
}

/** Why the file cannot be attached; null where it can. Said before it is read. */
export function refusalOf(file: { name: string; type: string; size: number }): string | null {
  const kind = kindOf(file);
  if (kind === null) return `${file.name} cannot be attached: choose images, audio or text files.`;
  if (file.size === 0) return `${file.name} is empty.`;
  if (kind === 'text') return file.size > TEXT_BYTES ? `${file.name} is longer than 200 kB.` : null;
  const head = `data:${file.type};base64,`.length;
  const chars = head + Math.ceil(file.size / 3) * 4;
  return chars > URI_CHARS ? `${file.name} is larger than 6.2 MB.` : null;
}

export async function attachmentOf(file: File): Promise<Attachment> {
  const { name, type, size } = file;
  const kind = kindOf(file);
  if (kind === 'text')
    return {
      name,
      item: { type: 'file', file_info: { name, media_type: type || 'text/plain', size, text: await file.text() } },
    };
  const url = await readAsUri(file);
  return kind === 'audio'
    ? { name, item: { type: 'audio', audio_url: { url } } }
    : { name, item: { type: 'image_url', image_url: { url } } };
}

const readAsUri = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });

interface AnyItem {
  type: ContentItem['type'];
  image_url?: { url: string };
  file_info?: Record<string, unknown>;
}

/** The images of a message. */
export const picturesOf = (items: readonly AnyItem[]): string[] =>
  items.flatMap(({ type, image_url: image }) => (type === 'image_url' && image ? [image.url] : []));

/** Other attachments, by name. */
export const filesOf = (items: readonly AnyItem[]): string[] =>
  items.flatMap(({ type, file_info: info }) => {
    if (type === 'audio') return ['Attached audio'];
    if (type !== 'file') return [];
    const name = info?.['name'] ?? info?.['filename'];
    return [typeof name === 'string' && name !== '' ? name : 'Attached file'];
  });
