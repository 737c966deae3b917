import { isPlainObject } from '@switchyard/kernel';

/** The size of a prompt, estimated before it is sent. */
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

/**
 * The parts of a message that are no text, by their type, and the fields that hold them: chat completions first, then
 * Responses. They count as attachments in messages and, as pictures, among the inputs of embeddings. Everywhere else
 * they count as text: a string that begins with `data:` too, and what the schema of a tool calls a file.
 */
const MEDIA: Readonly<Record<string, readonly string[]>> = {
  image_url: ['image_url'],
  image: ['image', 'image_url'],
  audio_url: ['audio_url'],
  video_url: ['video_url'],
  input_audio: ['input_audio'],
  file: ['file'],
  input_image: ['image_url', 'file_id'],
  input_file: ['file_data', 'file_url', 'file_id'],
  computer_screenshot: ['image_url', 'file_id'],
};

const NO_MEDIA: readonly string[] = [];

/** Inputs of embeddings are pictures by themselves, outside of any message. */
const PICTURES: ReadonlySet<unknown> = new Set(['image_url', 'image']);

/** Where something stands: in a list of the prompt, among the parts of a message, or deeper. */
type Level = 'item' | 'part' | 'inside';

function mediaOf(value: Readonly<Record<string, unknown>>, level: Level): readonly string[] {
  const { type, role } = value;
  if (level === 'inside' || typeof type !== 'string' || !Object.hasOwn(MEDIA, type)) return NO_MEDIA;
  if (level === 'item' && (role !== undefined || !PICTURES.has(type))) return NO_MEDIA;
  return (MEDIA[type] ?? NO_MEDIA).filter((field) => (value[field] ?? null) !== null);
}

const OUTPUTS: ReadonlySet<unknown> = new Set(['function_call_output', 'computer_call_output']);

/** Whether its content, or output, is made of parts. */
const hasParts = ({ type, role }: Readonly<Record<string, unknown>>): boolean =>
  OUTPUTS.has(type) || ((type === undefined || type === 'message') && typeof role === 'string');

interface CollectedPrompt {
  size: PromptSize;
  texts: string[] | null;
}

/** Walks a prompt of any of the wire's shapes: texts, messages, parts, tools. */
function walk(value: unknown, found: CollectedPrompt, depth: number, level: Level): void {
  const { size } = found;
  if (typeof value === 'string') {
    size.characters += value.length;
    size.bytes += Buffer.byteLength(value);
    found.texts?.push(value);
  } else if (typeof value === 'number') size.numbers += 1;
  else if (depth >= MAX_DEPTH) return;
  else if (Array.isArray(value)) for (const item of value) walk(item, found, depth + 1, level);
  else if (isPlainObject(value)) {
    const media = mediaOf(value, level);
    if (media.length > 0) size.attachments += 1;
    size.characters += MESSAGE_TOKENS;
    size.bytes += MESSAGE_TOKENS;
    const isMessage = hasParts(value);
    for (const key in value)
      if (!media.includes(key))
        walk(value[key], found, depth + 1, isMessage && (key === 'content' || key === 'output') ? 'part' : 'inside');
  }
}

const find = (prompt: unknown, texts: string[] | null): CollectedPrompt => {
  const found = { size: { characters: 0, bytes: 0, numbers: 0, attachments: 0 }, texts };
  walk(prompt, found, 0, 'item');
  return found;
};

export const measure = (prompt: unknown): PromptSize => find(prompt, null).size;

/** Parts that no tokenizer counts. */
export const nonTextTokens = (size: PromptSize): number => size.numbers + size.attachments * ATTACHMENT_TOKENS;

/** A quick guess, for reservations: four characters a token, as English has them. */
export const guessTokens = (size: PromptSize): number => Math.ceil(size.characters / 4) + nonTextTokens(size);

/** No tokenizer makes more tokens than a text has bytes. */
export const mostTokens = (size: PromptSize): number => size.bytes + nonTextTokens(size);

/** The texts of a prompt, for an exact count. */
export const textsOf = (prompt: unknown): string[] => find(prompt, []).texts ?? [];
