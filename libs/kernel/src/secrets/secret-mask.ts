import { inTurns } from '../in-turns';
import { FormSearch } from './form-search';

export const MASKED = '***';

/** Parts of a base64 text shorter than this could be anything. */
const SHORTEST_BASE64_PART = 6;

/** Characters that are searched or compared before others have their turn. */
const SLICE = 256 * 1024;

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const OF_NUMBERS = /[-+.\deE]/;

/**
 * Takes secrets out of what another side sent back: as they are, and in the forms that clients and servers commonly
 * give to a text (URL encoding, JSON escapes, base64). A form that nobody uses is not found. The forms are built when
 * there is an answer to search, since a request may wait long for one.
 */
export class SecretMask {
  private readonly plain: readonly string[];
  /** What secrets that are numbers become where JSON is read: 16 digits and more are rounded. */
  private readonly numbers: ReadonlySet<number>;
  private built: FormSearch | undefined;
  private work = 0;

  constructor(values: readonly string[]) {
    this.plain = values.filter((value) => value !== '');
    this.numbers = new Set(this.plain.filter((value) => NUMBER.test(value)).map((value) => Math.abs(Number(value))));
  }

  /** For short texts, such as messages. */
  text(text: string): string {
    return inOneGo(this.masking(text)) as string;
  }

  /** A JSON value: texts and keys, and numbers and booleans that a secret consists of. In slices, for long answers. */
  json(value: unknown): Promise<unknown> {
    return this.plain.length === 0 ? Promise.resolve(value) : inTurns(this.masking(value));
  }

  /**
   * JSON that is about to be read, without the numbers that secrets are part of: they become texts. Once it is read, the
   * digits that were written are gone.
   */
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

  private get search(): FormSearch {
    return (this.built ??= new FormSearch([...new Set(this.plain.flatMap(formsOf))]));
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

  /** Forms that overlap are masked as one: nothing of the second may be left behind. */
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
  // Half a surrogate pair cannot be encoded.
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
  // A redirect or a log of requests often carries an encoded address inside another one.
  return [...all, ...lower, encodeURIComponent(encoded)];
}

function jsonForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = escaped.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const slashes = [escaped, ascii].map((form) => form.replaceAll('/', '\\/'));
  // JSON inside a text of JSON.
  const twice = JSON.stringify(escaped).slice(1, -1);
  return [escaped, ascii, ...slashes, twice];
}

/** The whole secret, and what of its base64 stays the same when it stands inside a longer text. */
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
