import { isUtf8 } from 'node:buffer';
import { isPlainObject } from '@switchyard/kernel';
import type { ContentItem } from './content-items';

/** A file as a model gets it. `label` describes it besides its content. */
export type FileContent =
  | { kind: 'text'; label: string; text: string }
  | { kind: 'image'; label: string; url: string }
  | { kind: 'audio'; label: string; url: string }
  /** Only what is said of it: the item holds no content. */
  | { kind: 'label'; label: string }
  | { kind: 'unsupported'; label: string; why: string }
  | { kind: 'invalid'; label: string; field: string; why: string };

/** Size limit of a file's description, as JSON. */
const LABEL_BYTES = 4 * 1024;

const TEXT_TYPE =
  /^(?:text\/[a-z0-9.+-]+|image\/svg\+xml|application\/(?:[a-z0-9.-]+\+)?(?:json|xml|yaml)|application\/(?:x-)?(?:ndjson|jsonlines|yaml|javascript|ecmascript|typescript|sql|toml|sh|csv))$/;
const TEXT_NAME =
  /\.(?:txt|text|md|markdown|csv|tsv|json|ndjson|jsonl|xml|ya?ml|log|ini|conf|toml|html?|css|svg|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sql|sh|diff|patch|tex|srt|vtt|eml|ics)$/;
const IMAGE_NAME = /\.(png|jpe?g|gif|webp)$/;
const AUDIO_NAME = /\.(wav|mp3|ogg|flac|m4a|aac)$/;
/** Types that reveal nothing about the content. */
const VAGUE = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

const CONTENT_FIELDS = new Set(['data', 'text', 'url']);
const NAME_FIELDS = ['name', 'filename'];
const TYPE_FIELDS = ['mediaType', 'media_type', 'mime_type', 'mimeType', 'type'];
const DATA_URI = /^data:([^;,]*)[^,]*,/i;

type Info = Readonly<Record<string, unknown>>;

const textIn = (info: Info, fields: readonly string[]): string => {
  for (const field of fields) if (typeof info[field] === 'string') return info[field];
  return '';
};

function labelOf(info: Info): { label: string; isLong: boolean } {
  const label = Object.entries(info).filter(([field, value]) => !CONTENT_FIELDS.has(field) && value !== undefined);
  // A link is kept in the description; a data URI is the content.
  const { url } = info;
  if (typeof url === 'string' && !/^data:/i.test(url)) label.push(['url', url]);
  const whole = JSON.stringify(Object.fromEntries(label));
  if (Buffer.byteLength(whole) <= LABEL_BYTES) return { label: whole, isLong: false };
  const short = [...NAME_FIELDS, ...TYPE_FIELDS].flatMap((field) => {
    const value = info[field];
    return typeof value === 'string' ? [[field, value.slice(0, 200)]] : [];
  });
  return { label: JSON.stringify(Object.fromEntries(short)), isLong: true };
}

function typeOf(info: Info, label: string): string {
  const type = (VAGUE.has(label) ? textIn(info, TYPE_FIELDS) : label).split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!VAGUE.has(type)) return type;
  const name = textIn(info, NAME_FIELDS).toLowerCase();
  const extension = (IMAGE_NAME.exec(name) ?? AUDIO_NAME.exec(name))?.[1];
  if (extension === undefined) return TEXT_NAME.test(name) ? 'text/plain' : '';
  return `${IMAGE_NAME.test(name) ? 'image' : 'audio'}/${extension === 'jpg' ? 'jpeg' : extension}`;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The bytes as UTF-8 text, or null if they contain characters of binary formats. */
function decodedText(bytes: Buffer): string | null {
  if (!isUtf8(bytes) || bytes.includes(0)) return null;
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** First bytes of PDF, of ZIP with the newer Office formats in it, and of the older Office formats. */
const DOCUMENTS = [Buffer.from('%PDF-'), Buffer.from('PK\u0003\u0004'), Buffer.from('d0cf11e0a1b11ae1', 'hex')];

/** A document under another type would cost the tokens of its base64. */
const isDocument = (head: Buffer): boolean => DOCUMENTS.some((start) => head.subarray(0, start.length).equals(start));

const kindOf = (type: string): 'image' | 'audio' | null =>
  type === 'image/svg+xml' ? null : type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : null;

/** Also if the type is unknown. */
const isReadable = (type: string): boolean => VAGUE.has(type) || kindOf(type) !== null || TEXT_TYPE.test(type);

const UNREADABLE =
  'holds no text, image or audio: other formats cannot be read yet. Send the text of a document as `text`';

/**
 * Converts a `file` item for a model: text, image or sound. Other types are only described, since their base64 would
 * cost tokens in each turn.
 */
export function readFile({ file_info: info = {} }: Pick<ContentItem, 'file_info'>): FileContent {
  const { label, isLong } = isPlainObject(info) ? labelOf(info) : { label: '{}', isLong: true };
  const invalid = (field: string, why: string): FileContent => ({ kind: 'invalid', label, field, why });
  const isOther = !isReadable(typeOf(info, ''));
  if (isLong && isOther) return { kind: 'unsupported', label, why: UNREADABLE };
  if (isLong) return invalid('', 'must hold the content of the file as `data` or `text`, and at most 4 KiB beside it');
  const { text, url } = info;
  const data = info['data'] ?? (typeof url === 'string' && /^data:/i.test(url) ? url : undefined);
  if (text !== undefined && text !== null) {
    if (typeof text !== 'string') return invalid('text', 'must be a string');
    return data === undefined ? { kind: 'text', label, text } : invalid('data', 'must not stand beside text');
  }
  if (data !== undefined) {
    if (typeof data !== 'string') return invalid('data', 'must be base64');
    return readData(info, data, label);
  }
  if (url === undefined || url === null) return { kind: 'label', label };
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    return invalid('url', 'must be an http(s) URL or a base64 data: URI');
  const type = typeOf({ name: new URL(url).pathname, ...info }, '');
  const kind = kindOf(type);
  return kind === null
    ? { kind: 'unsupported', label, why: 'is not fetched: send its content as `data` or `text`' }
    : { kind, label, url };
}

function readData(info: Info, data: string, label: string): FileContent {
  const head = DATA_URI.exec(data);
  const from = head === null ? 0 : head[0].length;
  const type = typeOf(info, head?.[1]?.toLowerCase() ?? '');
  const kind = kindOf(type);
  const isText = TEXT_TYPE.test(type);
  if (kind === null && !isText && type !== '') return { kind: 'unsupported', label, why: UNREADABLE };
  if (head !== null && !/;base64,$/i.test(head[0]))
    return { kind: 'invalid', label, field: 'data', why: 'must be base64' };
  const base64 = data.slice(from).replaceAll(/\s/g, '');
  if (!BASE64.test(base64)) return { kind: 'invalid', label, field: 'data', why: 'is not valid base64' };
  if (isDocument(Buffer.from(base64.slice(0, 16), 'base64'))) return { kind: 'unsupported', label, why: UNREADABLE };
  if (kind !== null) return { kind, label, url: `data:${type};base64,${base64}` };
  const words = decodedText(Buffer.from(base64, 'base64'));
  return words === null ? { kind: 'unsupported', label, why: UNREADABLE } : { kind: 'text', label, text: words };
}

/** Text for the model of a file that is neither an image nor a sound. */
export function wordsOfFile(file: Exclude<FileContent, { kind: 'image' | 'audio' }>): string {
  switch (file.kind) {
    case 'text':
      return `[attached file] ${file.label}\n${file.text}`;
    case 'label':
      return `[attached file] ${file.label}`;
    case 'unsupported':
    case 'invalid':
      return `[attached file that cannot be read] ${file.label}`;
  }
}
