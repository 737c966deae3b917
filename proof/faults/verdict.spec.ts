import { CONTROLS, rulesBrokenWithout } from './sabotage';
import { verdictLine, verdictOf } from './verdict';
import type { Violation } from './violations';

const breach = (rule: string): Violation => ({ rule, detail: 'seen' });
const own = breach('a key is one job, however often it was sent');
const accident = breach('no process ends by itself');
const foreign = breach('progress never goes back');

describe('the verdict on a run without a guard', () => {
  it('is good when a rule broke that its control names', () => {
    expect(verdictOf([own], 'job-key')).toEqual({ isAsExpected: true, counted: [own], others: [] });
  });

  it.each([
    ['nothing broke', []],
    ['a process ended by itself', [accident]],
    ['a rule broke that its control does not name', [foreign]],
    ['several such rules broke', [accident, foreign]],
  ])('is bad when %s', (_, violations) => {
    expect(verdictOf(violations, 'job-key')).toEqual({ isAsExpected: false, counted: [], others: violations });
  });

  it('tells the violations of other rules, and does not count them', () => {
    const verdict = verdictOf([accident, own, foreign], 'job-key');
    expect(verdict).toEqual({ isAsExpected: true, counted: [own], others: [accident, foreign] });
    expect(verdictLine('jobs', verdict, 'job-key')).toBe(
      `ok   jobs: 1 violations of "${own.rule}", and 2 of other rules, which do not count`,
    );
  });

  it.each(CONTROLS)('is good without %s for each rule that this control names, and bad for an accident', (control) => {
    const named = rulesBrokenWithout(control);
    expect(named.map((rule) => verdictOf([breach(rule)], control).isAsExpected)).toEqual(named.map(() => true));
    expect(verdictOf([accident], control).isAsExpected).toBe(false);
  });
});

describe('the verdict on a run with all guards', () => {
  it('is good when nothing broke, and bad when any rule did', () => {
    expect(verdictOf([], undefined).isAsExpected).toBe(true);
    expect(verdictOf([accident], undefined)).toEqual({ isAsExpected: false, counted: [accident], others: [] });
    expect(verdictLine('jobs', verdictOf([accident], undefined))).toBe('BAD  jobs: 1 violations');
  });
});
