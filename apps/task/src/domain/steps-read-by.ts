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
  const ids = new Set<string>();
  let readsAll = false;
  eachText([condition ?? '', input], '', (text) => {
    if (!hasExpression(text)) return;
    for (const part of partsOf(text)) {
      if (typeof part === 'string' || !('path' in part.head)) continue;
      const [root, id] = part.head.path;
      if (root !== 'steps') continue;
      if (id === undefined) readsAll = true;
      else ids.add(String(id));
    }
  });
  return readsAll ? null : [...ids];
}
