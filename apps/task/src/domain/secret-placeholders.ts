import { randomUUID } from 'node:crypto';
import {
  FillMeter,
  MASKED,
  eachText,
  fillSecretReferences,
  fillText,
  invalid,
  mapTexts,
  secretNamesInJson,
} from '@switchyard/kernel';

/** Above what a step may have, which is measured where its limit is configured: TASK_STEP_MAX_BYTES. */
const MARKED_MAX_BYTES = 32 * 1024 * 1024;

const newMeter = (): FillMeter =>
  new FillMeter({ bytes: MARKED_MAX_BYTES }, () => invalid('with', 'names its secrets too often'));

/**
 * Stands in for the secrets of one step while its templates are filled in: a mark says which secret belongs there, and
 * cannot be forged by what is filled in. The values come in last, on the way out, and the marks become `***` in what is
 * recorded.
 */
export class SecretPlaceholders {
  private readonly nonce = randomUUID();
  private readonly pattern = new RegExp(`<secret ${this.nonce} ([A-Za-z0-9_]+)>`, 'g');
  readonly names: readonly string[];

  constructor(
    private readonly template: unknown,
    /** Secrets that other steps of the task use: an echo of them is masked as well. */
    readonly namesOfTask: readonly string[],
  ) {
    this.names = secretNamesInJson(template);
  }

  /** The template with marks in place of its secrets. */
  marked(): unknown {
    if (this.names.length === 0) return this.template;
    const meter = newMeter();
    const mark = (name: string): string => `<secret ${this.nonce} ${name}>`;
    return mapTexts(this.template, (text) => fillSecretReferences(text, mark, meter));
  }

  fill(text: string, value: (name: string) => string, meter = newMeter()): string {
    return fillText(text, this.pattern, value, meter);
  }

  fillAll(value: unknown, secret: (name: string) => string): unknown {
    const meter = newMeter();
    return mapTexts(value, (text) => this.fill(text, secret, meter));
  }

  /** How many bytes the values of the secrets add to a JSON value, told without filling them in. */
  addedBytes(value: unknown, bytesOf: (name: string) => number): number {
    let added = 0;
    eachText(value, '', (text) => {
      for (const [mark, name = ''] of text.matchAll(this.pattern)) added += bytesOf(name) - mark.length;
    });
    return added;
  }

  /** The value with secrets masked, for the record. */
  hidden(value: unknown): unknown {
    return this.names.length === 0 ? value : this.fillAll(value, () => MASKED);
  }
}
