export interface Violation {
  rule: string;
  detail: string;
}

const SHOWN = 5;

/** The first few violations of each rule. */
export function violationsOf<Found>(rules: Record<string, (found: Found) => string[]>, found: Found): Violation[] {
  return Object.entries(rules).flatMap(([rule, check]) => {
    const problems = check(found);
    const shown = problems.slice(0, SHOWN).map((detail) => ({ rule, detail }));
    return problems.length > SHOWN ? [...shown, { rule, detail: `and ${problems.length - SHOWN} more` }] : shown;
  });
}
