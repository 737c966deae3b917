import type { TaskStep } from '@switchyard/contracts';
import { eachText } from '@switchyard/kernel';
import { TemplateError, type TemplatePart, hasExpression, parseTemplate } from './template';

/** A stored text that cannot be parsed fails the step when it runs. */
function partsOf(text: string): TemplatePart[] {
  try {
    return parseTemplate(text);
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

/** Ids of the steps whose results the templates of a step read. Null: it may read those of any step. */
export function stepsReadBy({ if: condition, with: input }: Pick<TaskStep, 'if' | 'with'>): string[] | null {
  const texts: string[] = [];
  eachText([condition ?? '', input], '', (text) => texts.push(text));
  const paths = texts
    .filter(hasExpression)
    .flatMap(partsOf)
    .flatMap((part) => (typeof part !== 'string' && 'path' in part.head ? [part.head.path] : []))
    .filter(([root]) => root === 'steps');
  if (paths.some(({ length }) => length === 1)) return null;
  return [...new Set(paths.map(([, id]) => String(id)))];
}
