import { STEP_TYPES, stepDeclaration } from '@switchyard/contracts';
import { formatted } from './formatted';

const examples = (): Record<string, unknown> =>
  Object.fromEntries(STEP_TYPES.map((type) => [type, stepDeclaration(type).example]));

/** The types of steps as the console offers them. */
export const consoleStepTypes = (): Promise<string> =>
  formatted(
    'step-types.ts',
    `// Generated from the contracts; do not edit. After a change of the step types: npm run generate
import type { Task } from '@switchyard/client';

export type StepType = Task['steps'][number]['type'];

export const STEP_TYPES: readonly StepType[] = ${JSON.stringify(STEP_TYPES)};

/** \`with\` of a new step. */
export const STEP_EXAMPLES: Record<StepType, unknown> = ${JSON.stringify(examples())};
`,
  );

const HEAD = ['Type', '`with`', 'Output'];

/** A page with its table of step types written from the contracts. */
export function withStepTable(page: string): Promise<string> {
  const rows = STEP_TYPES.map((type) => {
    const { withText, outputText } = stepDeclaration(type);
    return [`\`${type}\``, withText, outputText];
  });
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
  const table = [HEAD, HEAD.map(() => '---'), ...rows].map(line).join('');
  const replaced = page.replace(/^\| Type +\| `with` .*\n(?:\|.*\n)+/m, table);
  if (replaced === page && !page.includes(table)) throw new Error('The page has no table of step types.');
  return formatted('page.md', replaced);
}
