import { randomUUID } from 'node:crypto';
import { MASKED, eachText, fillSecretReferences, mapTexts, secretNamesInJson } from '@switchyard/kernel';

/**
 * Stands in for the secrets of one step while its templates are filled in: a mark says which secret belongs there, and
 * cannot be forged by what is filled in. The values come in last, on the way out, and the marks become `***` in what is
 * recorded.
 */
export class SecretMarks {
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
    return mapTexts(this.template, (text) => fillSecretReferences(text, (name) => `<secret ${this.nonce} ${name}>`));
  }

  fill(text: string, value: (name: string) => string): string {
    return text.replaceAll(this.pattern, (_, name: string) => value(name));
  }

  fillAll(value: unknown, secret: (name: string) => string): unknown {
    return mapTexts(value, (text) => this.fill(text, secret));
  }

  /** How many bytes the values of the secrets add to a JSON value, told without filling them in. */
  addedBytes(value: unknown, bytesOf: (name: string) => number): number {
    let added = 0;
    eachText(value, '', (text) => {
      for (const [mark, name = ''] of text.matchAll(this.pattern)) added += bytesOf(name) - mark.length;
    });
    return added;
  }

  /** What may be recorded. */
  hidden(value: unknown): unknown {
    return this.names.length === 0 ? value : this.fillAll(value, () => MASKED);
  }
}
