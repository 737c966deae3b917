import { runInSlices } from '../run-in-slices';
import { EncodedSecretSearch } from './search-encoded-secrets';

export const MASKED = '***';

/** Shorter parts of a base64 text would match too much. */
const SHORTEST_BASE64_PART = 6;

/** Characters to search or compare before yielding to the event loop. */
const SLICE = 256 * 1024;

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const OF_NUMBERS = /[-+.\deE]/;

/**
 * Masks secrets in a response: as they are, and URL-encoded, JSON-escaped or in base64. Other encodings are not found.
 * The forms are built with the first search, since a request may wait long for its response.
 */
export class SecretMask {
  private readonly plain: readonly string[];
  /** Numeric secrets as JSON parsing rounds them, from 16 digits on. */
  private readonly numbers: ReadonlySet<number>;
  private built: EncodedSecretSearch | undefined;
  private work = 0;

  constructor(values: readonly string[]) {
    this.plain = values.filter((value) => value !== '');
    this.numbers = new Set(this.plain.filter((value) => NUMBER.test(value)).map((value) => Math.abs(Number(value))));
  }

  /** For short texts, such as error messages. */
  text(text: string): string {
    return inOneGo(this.masking(text)) as string;
  }

  /** Masks texts, keys, and numbers and booleans that equal a secret. In slices, for long responses. */
  json(value: unknown): Promise<unknown> {
    return this.plain.length === 0 ? Promise.resolve(value) : runInSlices(this.masking(value));
  }

  /** Turns numbers that contain a secret into texts, before the JSON is parsed: parsing would round their digits. */
  numbersOf(json: string): string {
    if (this.numbers.size === 0) return json;
    const secrets = this.plain.filter((value) => NUMBER.test(value));
    let masked = '';
    let copied = 0;
    for (let at = 0; at < json.length;) {
      const character = json.charAt(at);
      let end = at + 1;
      if (character === '"') {
        while (end < json.length && json.charAt(end) !== '"') end += json.charAt(end) === '\\' ? 2 : 1;
        end += 1;
      } else if (OF_NUMBERS.test(character)) {
        while (end < json.length && OF_NUMBERS.test(json.charAt(end))) end += 1;
        const number = json.slice(at, end);
        if (secrets.some((secret) => number.includes(secret))) {
          masked += `${json.slice(copied, at)}"${MASKED}"`;
          copied = end;
        }
      }
      at = end;
    }
    return masked + json.slice(copied);
  }

  private get search(): EncodedSecretSearch {
    return (this.built ??= new EncodedSecretSearch([...new Set(this.plain.flatMap(formsOf))]));
  }

  private *masking(value: unknown): Generator<void, unknown> {
    if (typeof value === 'string') return yield* this.maskingText(value);
    if (typeof value === 'number' || typeof value === 'boolean') {
      if (typeof value === 'number' && this.numbers.has(Math.abs(value))) return MASKED;
      return this.plain.some((secret) => String(value).includes(secret)) ? MASKED : value;
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(yield* this.masking(item));
      return items;
    }
    if (typeof value === 'object' && value !== null) {
      const fields: [string, unknown][] = [];
      for (const [key, item] of Object.entries(value))
        fields.push([yield* this.maskingText(key), yield* this.masking(item)]);
      return Object.fromEntries(fields);
    }
    return value;
  }

  /** Overlapping forms are masked as one, so that no rest of the second remains. */
  private *maskingText(text: string): Generator<void, string> {
    if (this.plain.length === 0 || text.length < this.search.shortest) return text;
    let masked = '';
    let copied = 0;
    let from = 0;
    let hidden = 0;
    while (from < text.length) {
      const to = Math.min(from + SLICE, text.length);
      const found = this.search.next(text, from, to);
      this.work += found ? found.at - from + found.work : to - from;
      from = found ? found.at + 1 : to;
      if (found && found.length > 0) {
        if (found.at >= hidden) {
          masked += text.slice(copied, found.at) + MASKED;
        }
        hidden = Math.max(hidden, found.at + found.length);
        copied = hidden;
      }
      if (this.work >= SLICE) {
        this.work = 0;
        yield;
      }
    }
    return masked + text.slice(copied);
  }
}

function inOneGo<T>(slices: Generator<void, T>): T {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

function formsOf(secret: string): string[] {
  return [secret, ...urlForms(secret), ...jsonForms(secret), ...base64Forms(secret)].filter((form) => form !== '');
}

function urlForms(secret: string): string[] {
  // A lone surrogate cannot be URL-encoded.
  const encoded = encodeURIComponent(secret.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [
    encoded,
    strict,
    encoded.replaceAll('%20', '+'),
    strict.replaceAll('%20', '+'),
    encodeURI(secret.toWellFormed()),
  ];
  const lower = all.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  // Redirects and request logs often contain an encoded URL inside another one.
  return [...all, ...lower, encodeURIComponent(encoded)];
}

function jsonForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = escaped.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const slashes = [escaped, ascii].map((form) => form.replaceAll('/', '\\/'));
  // A JSON text inside a JSON text.
  const twice = JSON.stringify(escaped).slice(1, -1);
  return [escaped, ascii, ...slashes, twice];
}

/** The whole secret in base64, and the part that stays the same inside a longer encoded text. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const whole = bytes.toString('base64');
  const parts = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const before = Math.ceil((offset * 8) / 6);
    const after = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(before, after);
  });
  const standard = [whole, whole.replaceAll('=', ''), ...parts.filter((part) => part.length >= SHORTEST_BASE64_PART)];
  const forUrls = standard.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const encoded = standard.map((form) => encodeURIComponent(form));
  return [...standard, ...forUrls, ...encoded].filter((form) => form.length >= 4);
}
