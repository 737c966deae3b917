import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf, STEP_TYPES, type StepType, stepDeclaration } from '@switchyard/contracts';
import { allRead } from './step-executor';

/** Their input goes on whole: to the operation's own contract, and to the output. */
const WHOLE: readonly StepType[] = ['dataset', 'transform'];

const fieldNames = (type: StepType): string[] =>
  (stepDeclaration(type).input({})?.types ?? []).flatMap((input) => fieldsOf(input).map(({ name }) => name));

describe('the fields of steps', () => {
  it.each(STEP_TYPES.filter((type) => !WHOLE.includes(type)))('are all read by the executor: %s', (type) => {
    expect(readFileSync(join(__dirname, `${type}.step.ts`), 'utf8')).toContain('allRead(rest)');
  });

  it.each(STEP_TYPES)('are all in the table of the documentation: %s', (type) => {
    const { withText } = stepDeclaration(type);
    expect(fieldNames(type).filter((name) => !new RegExp(`\`${name}\\??\``).test(withText))).toEqual([]);
  });

  it('are those of one class, which the documents and the executor are compared with', () => {
    expect(STEP_TYPES.filter((type) => stepDeclaration(type).input.length > 0)).toEqual(['dataset']);
  });

  it('do not compile when one is not read', () => {
    const input: { seconds: number; until?: string } = { seconds: 1 };
    const { seconds, until, ...rest } = input;
    allRead(rest);
    const { seconds: _, ...notRead } = input;
    // @ts-expect-error -- `until` is not read
    allRead(notRead);
    expect([seconds, until]).toEqual([1, undefined]);
  });
});
