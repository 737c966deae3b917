import { canonicalJson, jsonBytes } from '@switchyard/kernel';
import { spend, unitsRemaining } from '../check-cost-limit';
import { type Keyword, type Problems, type SchemaNode, checkChild, isFull, refuse } from './check-node';

const ofItems =
  (check: (items: unknown[], problems: Problems) => boolean): Keyword =>
  (value, problems) =>
    !Array.isArray(value) || check(value, problems);

export const maxItems = (most: number): Keyword =>
  ofItems((items, problems) => items.length <= most || refuse(problems, 'maxItems', { limit: most }));

export const minItems = (least: number): Keyword =>
  ofItems((items, problems) => items.length >= least || refuse(problems, 'minItems', { limit: least }));

/** Each item is serialized once: pairwise comparison would be quadratic. */
export const uniqueItems: Keyword = ofItems((items, problems) => {
  spend(40 * items.length);
  spend(2 * jsonBytes(items, unitsRemaining()));
  return new Set(items.map(canonicalJson)).size === items.length || refuse(problems, 'uniqueItems');
});

/** `prefixItems` are the schemas of the first items, `items` of all others; null accepts all, false none. */
export function itemsKeyword(prefix: readonly (SchemaNode | null | false)[], rest: SchemaNode | null | false): Keyword {
  return (value, problems, evaluated) => {
    if (!Array.isArray(value)) return true;
    const check = (node: SchemaNode | false, at: number): boolean =>
      node === false ? checkNothing(problems, at) : checkChild(node, value[at], at, problems);
    let fits = true;
    const named = Math.min(prefix.length, value.length);
    spend(named);
    for (let at = 0; at < named; at += 1) {
      const node = prefix[at];
      if (node === null || node === undefined || check(node, at)) continue;
      fits = false;
      if (isFull(problems)) return false;
    }
    if (rest === false && prefix.length > 0) {
      if (value.length > prefix.length) fits = refuse(problems, 'items', { limit: prefix.length });
    } else if (rest !== null) {
      for (let at = prefix.length; at < value.length; at += 1) {
        if (check(rest, at)) continue;
        fits = false;
        if (isFull(problems)) return false;
      }
    }
    if (evaluated) evaluated.upTo = Math.max(evaluated.upTo, prefix.length);
    return fits;
  };
}

export const allItemsEvaluated: Keyword = (value, _problems, evaluated) => {
  if (Array.isArray(value) && evaluated) evaluated.upTo = value.length;
  return true;
};

function checkNothing(problems: Problems, at: number): boolean {
  refuse(problems, 'false schema');
  problems?.at(-1)?.path.unshift(String(at));
  return false;
}

export function containsKeyword(node: SchemaNode | null | false, least: number, most: number | undefined): Keyword {
  return (value, problems, evaluated) => {
    if (!Array.isArray(value)) return true;
    let found = 0;
    spend(value.length);
    for (let at = 0; at < value.length; at += 1) {
      if (node === false || (node !== null && !node.check(value[at], null, null))) continue;
      found += 1;
      evaluated?.items.add(at);
    }
    const fits = found >= least && (most === undefined || found <= most);
    return fits || refuse(problems, 'contains', { minContains: least, maxContains: most });
  };
}

export function unevaluatedItems(node: SchemaNode | null | false): Keyword {
  return (value, problems, evaluated) => {
    if (!Array.isArray(value) || !evaluated) return true;
    let fits = true;
    spend(value.length);
    for (let at = evaluated.upTo; at < value.length; at += 1) {
      if (node === null || evaluated.items.has(at)) continue;
      if (node === false) return refuse(problems, 'unevaluatedItems', { limit: at });
      if (checkChild(node, value[at], at, problems)) continue;
      fits = false;
      if (isFull(problems)) return false;
    }
    evaluated.upTo = value.length;
    return fits;
  };
}
