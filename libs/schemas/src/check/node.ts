import { spend } from '../meter';

/** Problems that are named at most. The check ends behind the last of them. */
export const SHOWN_PROBLEMS = 20;

/** What does not fit: a keyword of the schema, and the way to the value. */
export interface Problem {
  path: string[];
  keyword: string;
  params: Record<string, unknown>;
}

/** Null where nobody asks what does not fit: then the first thing that does not ends the check. */
export type Problems = Problem[] | null;

/** To remember the name of a field. */
export const SET_ENTRY = 8;

/** The fields and items of one value that a schema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly fields = new Set<string>();
  readonly items = new Set<number>();
  /** All items before this one. */
  upTo = 0;

  take(other: Evaluated): void {
    spend(SET_ENTRY * (other.fields.size + other.items.size));
    for (const field of other.fields) this.fields.add(field);
    for (const item of other.items) this.items.add(item);
    this.upTo = Math.max(this.upTo, other.upTo);
  }
}

/** One keyword, made from what the schema says. Adds what does not fit to `problems`. */
export type Keyword = (value: unknown, problems: Problems, evaluated: Evaluated | null) => boolean;

/** About what the call of a schema costs. */
const CALL = 10;

/** A schema, ready to check values. Its keywords are filled in after it is made: schemas refer to themselves. */
export class SchemaNode {
  keywords: Keyword[] = [];
  /** Whether it asks what its other keywords have looked at. */
  asksEvaluated = false;

  check(value: unknown, problems: Problems, outer: Evaluated | null): boolean {
    spend(CALL + this.keywords.length);
    const evaluated = this.asksEvaluated ? new Evaluated() : outer;
    let fits = true;
    for (const keyword of this.keywords) {
      if (keyword(value, problems, evaluated)) continue;
      if (isFull(problems)) return false;
      fits = false;
    }
    if (evaluated !== outer && fits) outer?.take(evaluated as Evaluated);
    return fits;
  }
}

/** Whether nothing more can be learned. */
export const isFull = (problems: Problems): boolean => problems === null || problems.length >= SHOWN_PROBLEMS;

export function refuse(problems: Problems, keyword: string, params: Record<string, unknown> = {}): false {
  if (!isFull(problems)) problems?.push({ path: [], keyword, params });
  return false;
}

/** Checks a field or an item; its problems are those of this place. */
export function checkChild(node: SchemaNode, value: unknown, name: string | number, problems: Problems): boolean {
  const known = problems?.length ?? 0;
  if (node.check(value, problems, null)) return true;
  for (let at = known; problems !== null && at < problems.length; at += 1) problems[at]?.path.unshift(String(name));
  return false;
}
