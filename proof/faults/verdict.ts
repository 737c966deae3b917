import { type Control, rulesBrokenWithout } from './sabotage';
import type { Violation } from './violations';

export interface Verdict {
  isAsExpected: boolean;
  /**
   * The violations that the run was about: all of them, or without a guard those of the rules that its control names.
   */
  counted: Violation[];
  /** Other broken rules. They are reported and prove nothing about the guard. */
  others: Violation[];
}

/**
 * With all guards nothing may break. Without one, a rule must break that this guard is there for: if any rule counted,
 * a process that ended for another reason would pass for a proof.
 */
export function verdictOf(violations: readonly Violation[], without: Control | undefined): Verdict {
  if (!without) return { isAsExpected: violations.length === 0, counted: [...violations], others: [] };
  const named = rulesBrokenWithout(without);
  const counted = violations.filter(({ rule }) => named.includes(rule));
  const others = violations.filter(({ rule }) => !named.includes(rule));
  return { isAsExpected: counted.length > 0, counted, others };
}

/** One line for the end of a run. */
export function verdictLine(name: string, { isAsExpected, counted, others }: Verdict, without?: Control): string {
  const mark = isAsExpected ? 'ok  ' : 'BAD ';
  if (!without) return `${mark} ${name}: ${counted.length} violations`;
  const open = others.length > 0 ? `, and ${others.length} of other rules, which do not count` : '';
  return `${mark} ${name}: ${counted.length} violations of "${rulesBrokenWithout(without).join('" or "')}"${open}`;
}
