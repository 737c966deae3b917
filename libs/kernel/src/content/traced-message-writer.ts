import { setImmediate } from 'node:timers/promises';
import { SecretMask } from '../secrets/secret-mask';

/** Most characters of one attribute, and of one text in it. */
export const ATTRIBUTE_CHARACTERS = 64 * 1024;
export const TEXT_CHARACTERS = 16 * 1024;

/**
 * Longer than any form of a secret. Texts are masked this much farther than they are shown, so a secret at the cut is
 * found.
 */
const BORDER = 64 * 1024;
const DEEPEST = 32;

/** Characters to search before yielding to the event loop. */
const SLICE = 64 * 1024;

/** Secrets searched for in one pass: the forms of more take too long to build. */
const TOGETHER = { secrets: 20, characters: 4 * 1024 };

/** A message in the schema of OpenTelemetry's conventions for generative AI. */
export interface TracedMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  name?: string;
  parts: TracedPart[];
  finish_reason?: string;
}

export type TracedPart = { type: string } & Record<string, unknown>;

/** Serializes traced messages to JSON, with secrets masked and within its size limits. Yields to the event loop. */
export class ContentWriter {
  private readonly masks: readonly SecretMask[];
  private readonly used = new Set<SecretMask>();
  private remaining = ATTRIBUTE_CHARACTERS;
  private work = 0;

  constructor(secrets: readonly string[]) {
    this.masks = groupsOf(secrets).map((group) => new SecretMask(group));
  }

  /** Any JSON value. */
  async value(value: unknown): Promise<string> {
    this.remaining = ATTRIBUTE_CHARACTERS;
    return JSON.stringify((await this.masked(value, 0)) ?? null);
  }

  /** Writes a leading system message and the newest ones that fit, and the number of omitted messages. */
  async messages<T>(all: readonly T[], messageOf: (item: T) => TracedMessage): Promise<string> {
    this.remaining = ATTRIBUTE_CHARACTERS;
    const head = all.slice(0, 1).map(messageOf);
    const first = head[0]?.role === 'system' ? [await this.message(head[0])] : [];
    const newest: TracedMessage[] = [];
    let at = all.length;
    while (at > first.length && this.remaining > 0) {
      at -= 1;
      newest.unshift(await this.message(messageOf(all[at] as T)));
    }
    const remaining = at - first.length;
    const gap = remaining === 0 ? [] : [omitted(remaining)];
    return JSON.stringify([...first, ...gap, ...newest]);
  }

  private async message(message: TracedMessage): Promise<TracedMessage> {
    const parts: TracedPart[] = [];
    for (const { type, ...rest } of message.parts) {
      if (this.remaining <= 0) break;
      const part: TracedPart = { type };
      for (const [key, value] of Object.entries(rest)) part[key] = await this.masked(value, 0);
      parts.push(part);
      this.remaining -= 64;
    }
    const name = message.name === undefined ? {} : { name: String(await this.masked(message.name, 0)) };
    return { ...message, ...name, parts };
  }

  private async masked(value: unknown, depth: number): Promise<unknown> {
    if (typeof value === 'string') return this.text(value);
    this.remaining -= 8;
    if (typeof value !== 'object' || value === null) return this.mask(value);
    if (this.remaining <= 0 || depth > DEEPEST) return '… [left out]';
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value as unknown[]) {
        if (this.remaining <= 0) {
          items.push(`… [${value.length - items.length} of ${value.length} left out]`);
          break;
        }
        items.push(await this.masked(item, depth + 1));
      }
      return items;
    }
    const fields: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) {
      if (this.remaining <= 0) {
        fields.push(['…', 'left out']);
        break;
      }
      fields.push([await this.text(key), await this.masked(item, depth + 1)]);
    }
    return Object.fromEntries(fields);
  }

  /** Drops a secret's form that was cut at the border of the masked text. */
  private async text(text: string): Promise<string> {
    const remaining = Math.max(0, Math.min(TEXT_CHARACTERS, this.remaining));
    if (remaining === 0 && text !== '') return `… [cut, ${text.length} characters in all]`;
    const isLong = text.length > remaining + BORDER;
    const masked = (await this.mask(isLong ? text.slice(0, remaining + BORDER) : text)) as string;
    const shown = Math.min(remaining, isLong ? Math.max(0, masked.length - BORDER) : masked.length);
    this.remaining -= shown;
    return !isLong && shown === masked.length
      ? masked
      : `${masked.slice(0, shown)}… [cut, ${text.length} characters in all]`;
  }

  private async mask(value: unknown): Promise<unknown> {
    let masked = value;
    for (const mask of this.masks) {
      masked = await mask.json(masked);
      this.work += typeof value === 'string' ? value.length : 1;
      if (this.work < SLICE && this.used.has(mask)) continue;
      // The first search builds the forms.
      this.used.add(mask);
      this.work = 0;
      await setImmediate();
    }
    return masked;
  }
}

const omitted = (messages: number): TracedMessage => ({
  role: 'system',
  parts: [{ type: 'text', content: `… [${messages} earlier messages left out]` }],
});

/** Longest first, so that a secret containing another one is masked whole. */
function groupsOf(secrets: readonly string[]): string[][] {
  const groups: string[][] = [];
  let characters = 0;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    const group = groups.at(-1);
    if (!group || group.length >= TOGETHER.secrets || characters + secret.length > TOGETHER.characters) {
      groups.push([secret]);
      characters = secret.length;
    } else {
      group.push(secret);
      characters += secret.length;
    }
  }
  return groups;
}
