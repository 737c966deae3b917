import { AppError, invalid } from '@switchyard/kernel';
import { OVER_TEXT_BYTES, isOverTextBytes } from '../fields/default-text-limit';
import type { ContentItem } from '../session/content-items';
import { readFile } from '../session/file-content';

export const CONTENT_LIMITS = { items: 64, uriChars: 8 * 1024 * 1024 };

const FIELD_OF = { text: 'text', image_url: 'image_url', audio: 'audio_url', file: 'file_info' } as const;

/** Each item must have exactly the field that its type names, within the limits. */
export function checkContents(contents: readonly ContentItem[], path = 'contents'): void {
  if (contents.length === 0) throw invalid(path, 'must not be empty');
  if (contents.length > CONTENT_LIMITS.items)
    throw invalid(path, `must not have more than ${CONTENT_LIMITS.items} items`);
  contents.forEach((item, at) => {
    const where = `${path}[${at}]`;
    const requested = FIELD_OF[item.type];
    if (item[requested] === undefined) throw invalid(`${where}.${requested}`, `is required for the type ${item.type}`);
    for (const field of Object.values(FIELD_OF)) {
      if (field !== requested && item[field] !== undefined)
        throw invalid(`${where}.${field}`, `does not belong to the type ${item.type}`);
    }
    if (item.text !== undefined && isOverTextBytes(item.text)) throw invalid(`${where}.text`, OVER_TEXT_BYTES);
    if (item.image_url) checkAddress(item.image_url.url, 'image', `${where}.image_url.url`);
    if (item.audio_url) checkAddress(item.audio_url.url, 'audio', `${where}.audio_url.url`);
    if (item.file_info) checkFile(item, `${where}.file_info`);
  });
}

/** Rejects files that a model cannot use, before anything is stored or charged. */
function checkFile(item: ContentItem, path: string): void {
  const file = readFile(item);
  switch (file.kind) {
    case 'unsupported':
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', `${path} ${file.why}.`, { details: [{ path, message: file.why }] });
    case 'invalid':
      throw invalid(file.field === '' ? path : `${path}.${file.field}`, file.why);
    case 'text':
      if (isOverTextBytes(file.text)) throw invalid(path, `its text ${OVER_TEXT_BYTES}`);
      return;
    case 'image':
    case 'audio':
      checkAddress(file.url, file.kind, path);
      return;
    case 'label':
  }
}

/** Accepts an http(s) URL (passed on, never fetched here) or a base64 data URI of the right kind. */
export function checkAddress(url: string, kind: 'image' | 'audio', path: string): void {
  if (!/^data:/i.test(url)) {
    if (url.length > 8192) throw invalid(path, 'must not be longer than 8192 characters');
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw invalid(path, 'must be an http(s) URL or a base64 data: URI');
    return;
  }
  if (url.length > CONTENT_LIMITS.uriChars) throw invalid(path, 'must not be longer than 8 MiB');
  const comma = url.indexOf(',');
  const head = url.slice(5, Math.max(5, comma)).toLowerCase();
  if (comma === -1 || !head.endsWith(';base64')) throw invalid(path, 'must be base64: data:<type>;base64,<data>');
  if (!head.startsWith(`${kind}/`) || head.startsWith('image/svg')) throw invalid(path, `must hold ${kind} data`);
  if (!isBase64(url, comma + 1)) throw invalid(path, 'is not valid base64');
}

const NOT_BASE64 = /[^A-Za-z0-9+/_-]/g;

/** Does not copy the data. The search for a single character cannot backtrack. */
function isBase64(text: string, from: number): boolean {
  let end = text.length;
  while (end > from && text.charCodeAt(end - 1) === 61) end -= 1;
  if (text.length - end > 2 || end === from) return false;
  NOT_BASE64.lastIndex = from;
  // Only padding may follow.
  return (NOT_BASE64.exec(text)?.index ?? end) === end;
}

/** The plain text: for retrieval, titles and estimates. */
export const textOf = (contents: readonly ContentItem[]): string =>
  contents
    .filter((item) => item.type === 'text')
    .map((item) => item.text ?? '')
    .join('\n');
