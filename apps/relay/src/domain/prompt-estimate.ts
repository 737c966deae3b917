import { isPlainObject } from '@switchyard/kernel';

/** What the relay needs to know of a prompt before it is sent. */
export interface PromptSize {
  /** Characters of text, tool definitions included. */
  characters: number;
  /** The same in UTF-8. */
  bytes: number;
  /** Texts may come as tokens already. */
  numbers: number;
  /** Pictures, sounds and files: a flat number of tokens each. */
  attachments: number;
}

const ATTACHMENT_TOKENS = 1000;
const MESSAGE_TOKENS = 4;
const MAX_DEPTH = 64;

/** Walks a prompt of any of the wire's shapes: texts, messages, parts, tools. */
export function measure(
  value: unknown,
  size: PromptSize = { characters: 0, bytes: 0, numbers: 0, attachments: 0 },
  depth = 0,
): PromptSize {
  if (typeof value === 'string') {
    if (value.startsWith('data:')) size.attachments += 1;
    else {
      size.characters += value.length;
      size.bytes += Buffer.byteLength(value);
    }
  } else if (typeof value === 'number') size.numbers += 1;
  else if (depth < MAX_DEPTH && Array.isArray(value)) for (const item of value) measure(item, size, depth + 1);
  else if (depth < MAX_DEPTH && isPlainObject(value)) {
    if ('image_url' in value || 'input_audio' in value || 'audio_url' in value || 'file' in value)
      size.attachments += 1;
    else {
      size.characters += MESSAGE_TOKENS;
      size.bytes += MESSAGE_TOKENS;
      for (const key in value) measure(value[key], size, depth + 1);
    }
  }
  return size;
}

/** What no tokenizer counts. */
export const tokensBesideText = (size: PromptSize): number => size.numbers + size.attachments * ATTACHMENT_TOKENS;

/** A quick guess, for reservations: four characters a token, as English has them. */
export const guessTokens = (size: PromptSize): number => Math.ceil(size.characters / 4) + tokensBesideText(size);

/** No tokenizer makes more tokens than a text has bytes. */
export const mostTokens = (size: PromptSize): number => size.bytes + tokensBesideText(size);

/** The texts of a prompt, for an exact count. */
export function textsOf(value: unknown, texts: string[] = [], depth = 0): string[] {
  if (typeof value === 'string') {
    if (!value.startsWith('data:')) texts.push(value);
  } else if (depth < MAX_DEPTH && Array.isArray(value)) for (const item of value) textsOf(item, texts, depth + 1);
  else if (
    depth < MAX_DEPTH &&
    isPlainObject(value) &&
    !('image_url' in value || 'input_audio' in value || 'audio_url' in value || 'file' in value)
  ) {
    for (const key in value) textsOf(value[key], texts, depth + 1);
  }
  return texts;
}
