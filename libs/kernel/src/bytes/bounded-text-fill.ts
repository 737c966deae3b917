/** Bounds the bytes of filled templates before they are built. Texts that share a limit share one meter. */
export class FillMeter {
  private bytes = 0;
  private placeholders = 0;

  /** `refuse` makes the error: it knows the field and its limit. */
  constructor(
    private readonly limits: { bytes: number; placeholders?: number },
    private readonly refuse: (over: 'bytes' | 'placeholders') => Error,
  ) {}

  add(text: string): void {
    const { bytes } = this.limits;
    // A text with more characters than the remaining bytes need not be measured.
    this.bytes += this.bytes + text.length > bytes ? text.length : Buffer.byteLength(text);
    if (this.bytes > bytes) throw this.refuse('bytes');
  }

  countPlaceholder(): void {
    this.placeholders += 1;
    if (this.placeholders > (this.limits.placeholders ?? Infinity)) throw this.refuse('placeholders');
  }
}

/**
 * Replaces each match of `place` (flag `g`, first group is the name). Unknown names stay as written; inserted values
 * are not scanned again.
 */
export function fillText(
  text: string,
  placeholder: RegExp,
  valueOf: (name: string) => string | undefined,
  meter: FillMeter,
): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(placeholder)) {
    const [whole, name = ''] = match;
    meter.countPlaceholder();
    const before = text.slice(at, match.index);
    const value = valueOf(name) ?? whole;
    meter.add(before);
    meter.add(value);
    parts.push(before, value);
    at = match.index + whole.length;
  }
  if (parts.length === 0) {
    meter.add(text);
    return text;
  }
  const rest = text.slice(at);
  meter.add(rest);
  parts.push(rest);
  return parts.join('');
}
