/** One field that the users of a record write. */
export interface FieldRule<Value, Given, IsLarge extends boolean> {
  /** The value of a record that was created without it, or stored before the field existed. */
  initial: Value;
  /** Lists leave it in the database: true for exactly the fields that a row of a list does not have. */
  isLarge: IsLarge;
  /** The most bytes of its JSON, also when an older version is restored. */
  bytes?: number;
  /** The value after a change; without it, the value that was given. Null is taken as it is. */
  changed?: (given: NonNullable<Given>, before: NonNullable<Value>) => Value;
}

/**
 * A line for each field. A field that is missing here, in the view or in the body of a change does not compile: it would
 * be accepted and not stored, or shown and never set.
 */
export type FieldRules<Fields, Listed, Sent> = {
  readonly [Name in keyof Fields | keyof Sent]: Name extends keyof Fields & keyof Sent
    ? FieldRule<Fields[Name], Sent[Name], Name extends keyof Listed ? false : true>
    : Name extends keyof Fields
      ? 'The view has this field, and the body of a change does not.'
      : 'The body of a change has this field, and the view does not.';
};

type Rule = FieldRule<unknown, unknown, boolean>;

/** These fields of a record, in this order. */
export const picked = <Source, Name extends keyof Source>(source: Source, names: readonly Name[]): Pick<Source, Name> =>
  Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>;

/**
 * The fields of a record that its users write, from one table. `Fields`: as they are stored and shown; `Listed`: those
 * of a row of a list; `Sent`: the body of a change.
 */
export class RecordFields<Fields extends object, Listed extends object, Sent extends object> {
  readonly names: readonly (keyof Fields & string)[];
  readonly large: readonly (Exclude<keyof Fields, keyof Listed> & string)[];
  readonly listed: readonly (keyof Fields & keyof Listed & string)[];

  constructor(readonly rules: FieldRules<Fields, Listed, Sent>) {
    const entries = Object.entries(rules) as [string, Rule][];
    const namesOf = <Name>(isIncluded: (rule: Rule) => boolean): Name[] =>
      entries.filter(([, rule]) => isIncluded(rule)).map(([name]) => name as Name);
    this.names = namesOf(() => true);
    this.large = namesOf(({ isLarge }) => isLarge);
    this.listed = namesOf(({ isLarge }) => !isLarge);
  }

  /** Each record has values of its own. */
  initial(): Fields {
    return this.each((_, { initial }) => structuredClone(initial));
  }

  /** The most bytes that each field may have, where it has a bound. */
  get bounds(): [keyof Fields & string, number][] {
    return this.names.flatMap((name) => {
      const { bytes } = this.ruleOf(name);
      return bytes === undefined ? [] : [[name, bytes]];
    });
  }

  /** The fields given replace those of the record; the others stay. A field without a line has no effect. */
  changed(before: Fields, changes: Sent): Fields {
    return this.each((name, { changed }) => {
      const given = (changes as Partial<Record<string, unknown>>)[name];
      if (given === undefined) return before[name];
      return changed && given !== null ? changed(given, before[name] as object) : given;
    });
  }

  private each(valueOf: (name: keyof Fields & string, rule: Rule) => unknown): Fields {
    return Object.fromEntries(this.names.map((name) => [name, valueOf(name, this.ruleOf(name))])) as Fields;
  }

  private ruleOf(name: keyof Fields & string): Rule {
    return (this.rules as unknown as Record<string, Rule>)[name] as Rule;
  }
}
