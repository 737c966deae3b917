import type { StepDraft } from './task-form';
import { TEMPLATE_FILTERS } from './template-filters';

/** Template variables available at this position. */
export interface TemplateNames {
  /** Names of the default inputs. */
  inputs: readonly string[];
  isEvent: boolean;
  /** The steps before this one. */
  steps: readonly Pick<StepDraft, 'id' | 'type' | 'with'>[];
}

export interface Completion {
  /** The word at the caret, which is replaced. */
  from: number;
  to: number;
  options: string[];
}

const OUTPUTS: Partial<Record<StepDraft['type'], readonly string[]>> = {
  agent: ['answer', 'output'],
  http: ['status', 'headers', 'body'],
  emit: ['envelopeId', 'status'],
};
const MOST = 12;

function outputsOf({ type, with: text }: TemplateNames['steps'][number]): readonly string[] {
  if (type !== 'transform') return OUTPUTS[type] ?? [];
  try {
    return Object.keys(JSON.parse(text) as object);
  } catch {
    return [];
  }
}

/** All paths, the nearest first. */
export function pathsOf({ inputs, isEvent, steps }: TemplateNames): string[] {
  const ofSteps = steps.toReversed().flatMap((step) => {
    const own = `steps.${step.id}`;
    return [
      `${own}.output`,
      ...outputsOf(step).map((name) => `${own}.output.${name}`),
      `${own}.status`,
      `${own}.error`,
    ];
  });
  return [
    ...ofSteps,
    'execution.inputs',
    ...inputs.map((name) => `execution.inputs.${name}`),
    ...(isEvent ? ['execution.inputs.trigger.payload'] : []),
    'execution.id',
    'execution.attempt',
    'execution.scheduledFor',
  ];
}

/** Suggestions at the caret; null outside of `{{ }}` or without a match. */
export function completionsAt(text: string, caret: number, names: TemplateNames): Completion | null {
  const open = text.lastIndexOf('{{', caret - 1);
  if (open === -1 || open + 2 > caret || text.slice(open, caret).includes('}}')) return null;
  const written = text.slice(open + 2, caret);
  const word = /[\w.-]*$/u.exec(written)?.[0] ?? '';
  const before = written.slice(0, written.length - word.length).trimEnd();
  const isFilter = before.endsWith('|');
  // Behind a filter's colon stand its arguments.
  if (before !== '' && !isFilter) return null;
  const existing = isFilter ? TEMPLATE_FILTERS : pathsOf(names);
  const options = existing.filter((one) => one !== word && one.toLowerCase().includes(word.toLowerCase()));
  const inOrder = [...options.filter((one) => one.startsWith(word)), ...options.filter((one) => !one.startsWith(word))];
  const rest = /^[\w.-]*/u.exec(text.slice(caret))?.[0] ?? '';
  return options.length === 0
    ? null
    : { from: caret - word.length, to: caret + rest.length, options: inOrder.slice(0, MOST) };
}

/** The text with the option in it, closed where nothing closes it yet, and the place of the caret behind it. */
export function withCompletion(
  text: string,
  { from, to }: Pick<Completion, 'from' | 'to'>,
  option: string,
): { text: string; caret: number } {
  const head = text.slice(0, from);
  const tail = text.slice(to);
  const space = /\{\{$/u.test(head) ? ' ' : '';
  const isClosed = /^[^{]*\}\}/u.test(tail);
  const start = `${head}${space}${option}`;
  return { text: `${start}${isClosed ? '' : ' }}'}${tail}`, caret: start.length };
}
