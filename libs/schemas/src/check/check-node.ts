import { spend } from '../check-cost-limit';

/** Most problems reported. The check ends after the last one. */
export const SHOWN_PROBLEMS = 20;

/** A violation: the schema's keyword, and the path of the value. */
export interface Problem {
  path: string[];
  keyword: string;
  params: Record<string, unknown>;
}

/** Null if problems are not reported: the check ends at the first one. */
export type Problems = Problem[] | null;

/** Cost of adding a field name to a set. */
export const SET_ENTRY = 8;

/** Fields and items of a value that were evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly fields = new Set<string>();
  readonly items = new Set<number>();
  /** All items before this index. */
  upTo = 0;

  take(other: Evaluated): void {
    spend(SET_ENTRY * (other.fields.size + other.items.size));
    for (const field of other.fields) this.fields.add(field);
    for (const item of other.items) this.items.add(item);
    this.upTo = Math.max(this.upTo, other.upTo);
  }
}

/** A compiled keyword. Adds violations to `problems`. */
export type Keyword = (value: unknown, problems: Problems, evaluated: Evaluated | null) => boolean;

/** Approximate cost of calling a schema. */
const CALL = 10;

/** A compiled schema. Keywords are added after creation, since schemas may be recursive. */
export class SchemaNode {
  keywords: Keyword[] = [];
  /** Whether it needs the fields that its other keywords evaluated. */
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

/** Whether no further problem would be reported. */
export const isFull = (problems: Problems): boolean => problems === null || problems.length >= SHOWN_PROBLEMS;

export function refuse(problems: Problems, keyword: string, params: Record<string, unknown> = {}): false {
  if (!isFull(problems)) problems?.push({ path: [], keyword, params });
  return false;
}

/** Checks a field or an item; adds its path to the problems. */
export function checkChild(node: SchemaNode, value: unknown, name: string | number, problems: Problems): boolean {
  const before = problems?.length ?? 0;
  if (node.check(value, problems, null)) return true;
  for (let at = before; problems !== null && at < problems.length; at += 1) problems[at]?.path.unshift(String(name));
  return false;
}
