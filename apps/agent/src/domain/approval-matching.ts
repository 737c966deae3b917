import { createHash } from 'node:crypto';
import { type ApprovalRule, type Approver, bothApprovers, filterOfRule } from '@switchyard/contracts';
import { canonicalJson, type Filter, type FilterTest, findText, isPlainObject, jsonEqual } from '@switchyard/kernel';

/** Names exactly these arguments: SHA-256 of their RFC 8785 form. */
export const digestOf = (args: unknown): string => createHash('sha256').update(canonicalJson(args)).digest('hex');

/** The approvers of a call; null if it may run at once. Several rules are combined. */
export function approverOf(
  rules: readonly ApprovalRule[],
  call: { name: string; arguments: unknown },
): Approver | null {
  let approver: Approver | null = null;
  for (const rule of rules) if (isRuleFor(rule, call)) approver = bothApprovers(approver, rule.by ?? 'USER');
  return approver;
}

/** Whether a call needs an approval by this rule. */
export function isRuleFor(rule: ApprovalRule, call: { name: string; arguments: unknown }): boolean {
  // A question changes nothing, and is itself the way to a person.
  if (call.name === 'ask_user') return false;
  return matchesName(rule.tool, call.name) && matchesArguments(rule, call.arguments);
}

function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const [head = '', ...rest] = pattern.split('*');
  if (!name.startsWith(head)) return false;
  let at = head.length;
  const tail = rest.pop() ?? '';
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - tail.length >= at && name.endsWith(tail);
}

/** True, false, or not known because the arguments do not have what the filter asks about. */
type FilterResult = boolean | null;

/** If a condition cannot be evaluated, it counts as matching: odd arguments must not evade a rule. */
function matchesArguments(rule: ApprovalRule, args: unknown): boolean {
  const filter = filterOfRule(rule);
  return filter === null || evaluate(filter, args) !== false;
}

function evaluate(filter: Filter, args: unknown): FilterResult {
  switch (filter.kind) {
    case 'and':
      return all(filter.parts.map((part) => evaluate(part, args)));
    case 'or':
      return negated(all(filter.parts.map((part) => negated(evaluate(part, args)))));
    case 'not':
      return negated(evaluate(filter.part, args));
    case 'test':
      return test(filter, args);
  }
}

const negated = (result: FilterResult): FilterResult => (result === null ? null : !result);

const all = (results: FilterResult[]): FilterResult =>
  results.includes(false) ? false : results.includes(null) ? null : true;

function test({ field, operator, operand }: FilterTest, args: unknown): FilterResult {
  const actual = valueAt(args, field);
  if (actual === AMBIGUOUS) return null;
  if (operator === 'exists') return (actual !== undefined) === operand;
  if (actual === undefined) return null;
  switch (operator) {
    case 'eq':
      return isEqual(actual, operand);
    case 'ne':
      return negated(isEqual(actual, operand));
    case 'in':
      return isOneOf(actual, operand as unknown[]);
    case 'nin':
      return negated(isOneOf(actual, operand as unknown[]));
    case 'gt':
      return ordered(actual, operand, (order) => order > 0);
    case 'gte':
      return ordered(actual, operand, (order) => order >= 0);
    case 'lt':
      return ordered(actual, operand, (order) => order < 0);
    case 'lte':
      return ordered(actual, operand, (order) => order <= 0);
    case 'contains':
      if (Array.isArray(actual)) return isOneOf(operand, actual);
      return typeof actual === 'string' && typeof operand === 'string' ? findText(actual, operand) !== -1 : null;
    case 'startsWith':
      return typeof actual === 'string' ? actual.startsWith(String(operand)) : null;
  }
}

/** Which of two values a tool would take is not known. */
const AMBIGUOUS = Symbol('ambiguous');

/** By its dotted path; a name that has dots itself is found as well. AMBIGUOUS where both are there. */
function valueAt(args: unknown, path: string): unknown {
  const literal = isPlainObject(args) && Object.hasOwn(args, path) ? args[path] : undefined;
  if (!path.includes('.')) return literal;
  let nested: unknown = args;
  for (const name of path.split('.'))
    nested =
      typeof nested === 'object' && nested !== null && Object.hasOwn(nested, name)
        ? (nested as Record<string, unknown>)[name]
        : undefined;
  if (literal === undefined) return nested;
  return nested === undefined ? literal : AMBIGUOUS;
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** "100" is not 100, and a tool may take one for the other: values of two kinds cannot be compared. */
const isEqual = (actual: unknown, operand: unknown): FilterResult =>
  kindOf(actual) === kindOf(operand) ? jsonEqual(actual, operand) : null;

function isOneOf(actual: unknown, members: readonly unknown[]): FilterResult {
  const results = members.map((member) => isEqual(actual, member));
  if (results.includes(true)) return true;
  return results.includes(null) ? null : false;
}

function ordered(actual: unknown, operand: unknown, holds: (order: number) => boolean): FilterResult {
  if (typeof actual === 'number' && typeof operand === 'number') return holds(actual - operand);
  if (typeof actual === 'string' && typeof operand === 'string')
    return holds(actual < operand ? -1 : actual > operand ? 1 : 0);
  return null;
}
