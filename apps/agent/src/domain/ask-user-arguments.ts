import { isPlainObject } from '@switchyard/kernel';
import type { InteractionForm, InteractionOption, InteractionView } from '@switchyard/contracts';

const KINDS = { single_choice: 'single_choice', multiple_choice: 'multiple_choice' } as const;

/** Reads the arguments of `ask_user`, as a model wrote them; says what is wrong where they are no form. */
export function readForm(value: unknown): { form: InteractionForm } | { problem: string } {
  if (!isPlainObject(value)) return { problem: 'the arguments must be an object' };
  const kind = KINDS[value['kind'] as keyof typeof KINDS] as InteractionForm['kind'] | undefined;
  if (!kind) return { problem: 'kind must be single_choice or multiple_choice' };
  const prompt = value['prompt'];
  if (typeof prompt !== 'string' || prompt.trim() === '') return { problem: 'prompt must say what is asked' };
  const options = readOptions(value['options']);
  if (typeof options === 'string') return { problem: options };
  const allowOther = value['allowOther'] === true;
  if (options.length === 0 && !allowOther) return { problem: 'options must not be empty' };
  const form: InteractionForm = { kind, prompt: prompt.slice(0, 10_000), options, allowOther };
  const min = countOf(value['minSelections'], 0);
  const max = countOf(value['maxSelections'], 1);
  if (min === null) return { problem: 'minSelections must be a whole number of 0 or more' };
  if (max === null) return { problem: 'maxSelections must be a whole number of 1 or more' };
  if (kind === 'multiple_choice') {
    const most = options.length + (allowOther ? 1 : 0);
    if (min !== undefined && min > most) return { problem: 'minSelections is more than there are options' };
    if (min !== undefined && max !== undefined && min > max)
      return { problem: 'minSelections is more than maxSelections' };
    if (min !== undefined) form.minSelections = min;
    if (max !== undefined) form.maxSelections = Math.min(max, 100);
  }
  return { form };
}

/** Null where it is no such number; models also write null for what they leave out. */
function countOf(value: unknown, least: number): number | null | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : null;
}

/** Options are objects with an id and a label; a bare text is both. */
function readOptions(value: unknown): InteractionOption[] | string {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return 'options must be a list';
  if (value.length > 100) return 'options must not be more than 100';
  const seen = new Set<string>();
  const options: InteractionOption[] = [];
  for (const [at, item] of value.entries()) {
    const option = readOption(item, at);
    if (option === null) return `options[${at}] needs an id and a label`;
    if (seen.has(option.id)) return `options[${at}] repeats the id ${option.id}`;
    seen.add(option.id);
    options.push(option);
  }
  return options;
}

function readOption(item: unknown, at: number): InteractionOption | null {
  if (typeof item === 'string' && item !== '') return { id: item.slice(0, 200), label: item.slice(0, 1000) };
  if (!isPlainObject(item)) return null;
  const label = typeof item['label'] === 'string' ? item['label'] : item['id'];
  const id = item['id'] ?? (typeof label === 'string' ? `option-${at + 1}` : undefined);
  if (
    (typeof id !== 'string' && typeof id !== 'number') ||
    typeof label !== 'string' ||
    label === '' ||
    String(id) === ''
  )
    return null;
  const description = typeof item['description'] === 'string' ? item['description'].slice(0, 4000) : undefined;
  return {
    id: String(id).slice(0, 200),
    label: label.slice(0, 1000),
    ...(description === undefined ? {} : { description }),
  };
}

/** The answer as the model reads it: chosen options by id and label, and free text. */
export const answerOf = (interaction: InteractionView): Record<string, unknown> => {
  const chosen = new Set(interaction.selectedOptionIds ?? []);
  return {
    selected: interaction.options.filter(({ id }) => chosen.has(id)).map(({ id, label }) => ({ id, label })),
    ...(interaction.otherText ? { otherText: interaction.otherText } : {}),
  };
};
