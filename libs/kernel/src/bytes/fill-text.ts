/**
 * Bounds what texts may grow to while values are put into them. Every place counts with the bytes of what comes into
 * it, so the product of places and values is known before any of it is made. One meter serves all texts that are
 * bounded together.
 */
export class FillMeter {
  private bytes = 0;
  private places = 0;

  /** `refuse` makes the error: it knows which field is too large, and what its limit is. */
  constructor(
    private readonly limits: { bytes: number; places?: number },
    private readonly refuse: (over: 'bytes' | 'places') => Error,
  ) {}

  add(text: string): void {
    const { bytes } = this.limits;
    // A text of more characters than bytes are left need not be measured.
    this.bytes += this.bytes + text.length > bytes ? text.length : Buffer.byteLength(text);
    if (this.bytes > bytes) throw this.refuse('bytes');
  }

  place(): void {
    this.places += 1;
    if (this.places > (this.limits.places ?? Infinity)) throw this.refuse('places');
  }
}

/**
 * The text with values in its places, which `place` finds: a pattern with the flag `g`, whose first group is the name.
 * A place without a value stays as it is written. What was put in is not read again.
 */
export function fillText(
  text: string,
  place: RegExp,
  valueOf: (name: string) => string | undefined,
  meter: FillMeter,
): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(place)) {
    const [whole, name = ''] = match;
    meter.place();
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
