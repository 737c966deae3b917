import { isPlainObject } from '@switchyard/kernel';

interface IntLimits {
  min: number;
  max: number;
  fallback?: number;
}

/** One mapping of the catalogue file. It notes every problem instead of stopping at the first. */
export class Section {
  private readonly fields: Record<string, unknown>;
  private readonly read = new Set<string>();

  constructor(
    value: unknown,
    private readonly path: string,
    private readonly problems: string[],
  ) {
    this.fields = isPlainObject(value) ? value : {};
    if (!isPlainObject(value)) problems.push(`${path === '' ? 'the file' : path}: must be a mapping`);
  }

  problem(field: string, text: string): void {
    this.problems.push(`${this.pathOf(field)}: ${text}`);
  }

  private pathOf(field: string): string {
    return this.path === '' ? field : `${this.path}.${field}`;
  }

  private take(field: string): unknown {
    this.read.add(field);
    return this.fields[field] ?? undefined;
  }

  optionalText(field: string, pattern?: RegExp): string | null {
    const value = this.take(field);
    if (value === undefined) return null;
    if (typeof value !== 'string' || value === '') {
      this.problem(field, 'must be a string');
      return null;
    }
    if (pattern && !pattern.test(value)) this.problem(field, 'does not have the expected form');
    return value;
  }

  text(field: string, pattern?: RegExp): string {
    if (this.fields[field] === undefined) this.problem(field, 'is required');
    return this.optionalText(field, pattern) ?? '';
  }

  optionalInt(field: string, limits: IntLimits): number | null {
    const value = this.take(field);
    if (value === undefined) return null;
    if (!Number.isSafeInteger(value) || (value as number) < limits.min || (value as number) > limits.max) {
      this.problem(field, `must be a whole number from ${limits.min} to ${limits.max}`);
      return null;
    }
    return value as number;
  }

  int(field: string, limits: IntLimits): number {
    if (limits.fallback === undefined && this.fields[field] === undefined) this.problem(field, 'is required');
    return this.optionalInt(field, limits) ?? limits.fallback ?? limits.min;
  }

  price(field: string): number {
    const value = this.take(field) ?? 0;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    this.problem(field, 'must be a number of 0 or more: the price of a million tokens');
    return 0;
  }

  bool(field: string, fallback: boolean): boolean {
    const value = this.take(field) ?? fallback;
    if (typeof value === 'boolean') return value;
    this.problem(field, 'must be true or false');
    return fallback;
  }

  oneOf<T extends string>(field: string, values: readonly T[], fallback: T): T {
    const value = this.take(field) ?? fallback;
    if (values.includes(value as T)) return value as T;
    this.problem(field, `must be one of ${values.join(', ')}`);
    return fallback;
  }

  list(field: string, fallback: string[] = []): string[] {
    const value = this.take(field) ?? fallback;
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.problem(field, 'must be a list of strings');
    return fallback;
  }

  texts(field: string): Record<string, string> {
    const value = this.take(field) ?? {};
    if (isPlainObject(value) && Object.values(value).every((item) => typeof item === 'string'))
      return value as Record<string, string>;
    this.problem(field, 'must be a mapping of strings');
    return {};
  }

  section(field: string): Section {
    return new Section(this.take(field) ?? {}, this.pathOf(field), this.problems);
  }

  sections(field: string): Section[] {
    const value = this.take(field) ?? [];
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => {
        const id: unknown = isPlainObject(item) ? item['id'] : undefined;
        return new Section(
          item,
          `${this.pathOf(field)}${typeof id === 'string' ? `.${id}` : `[${index}]`}`,
          this.problems,
        );
      });
    }
    this.problem(field, 'must be a list');
    return [];
  }

  named(field: string): [string, Section][] {
    const value = this.take(field) ?? {};
    if (isPlainObject(value))
      return Object.entries(value).map(([name, item]) => [
        name,
        new Section(item, `${this.pathOf(field)}.${name}`, this.problems),
      ]);
    this.problem(field, 'must be a mapping');
    return [];
  }

  /** An unknown field is reported as a spelling mistake. */
  finish(): void {
    for (const field of Object.keys(this.fields)) {
      if (!this.read.has(field)) this.problem(field, 'is not a known field');
    }
  }
}
