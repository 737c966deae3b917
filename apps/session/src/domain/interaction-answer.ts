import type { InteractionForm } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';

export interface ChosenAnswer {
  selectedOptionIds: string[];
  otherText: string | null;
}

const counted = (options: number): string => `${options} option${options === 1 ? '' : 's'}`;

function checkSingle(selected: number, other: boolean): void {
  const answers = selected + (other ? 1 : 0);
  if (answers === 1) return;
  throw invalid('selectedOptionIds', answers === 0 ? 'must name one option' : 'must be one answer only');
}

function checkMultiple(form: InteractionForm, selected: number, other: boolean): void {
  const answers = selected + (other ? 1 : 0);
  const least = form.minSelections ?? 1;
  const most = form.maxSelections ?? Number.MAX_SAFE_INTEGER;
  if (answers < least) throw invalid('selectedOptionIds', `must name at least ${counted(least)}`);
  if (answers > most) throw invalid('selectedOptionIds', `must name at most ${counted(most)}`);
}

/** Whether an answer fits its form. Text of one's own counts as one selection. */
export function checkAnswer(form: InteractionForm, answer: ChosenAnswer): ChosenAnswer {
  checkOptions(form, answer.selectedOptionIds);
  const otherText = answer.otherText === null || answer.otherText.trim() === '' ? null : answer.otherText;
  if (otherText !== null && !form.allowOther) throw invalid('otherText', 'is not possible for this form');
  const selected = answer.selectedOptionIds.length;
  if (form.kind === 'single_choice') checkSingle(selected, otherText !== null);
  else checkMultiple(form, selected, otherText !== null);
  return { selectedOptionIds: answer.selectedOptionIds, otherText };
}

/**
 * Whether an answer fits an approval. A single call is approved or denied, several are selected from; a text of one's
 * own is the reason of a denial.
 */
export function checkApproval(form: InteractionForm, answer: ChosenAnswer): ChosenAnswer {
  const { selectedOptionIds } = answer;
  const otherText = answer.otherText === null || answer.otherText.trim() === '' ? null : answer.otherText;
  checkOptions(form, selectedOptionIds);
  if (form.kind === 'single_choice') {
    if (selectedOptionIds.length !== 1) throw invalid('selectedOptionIds', 'must be ["approve"] or ["deny"]');
    if (otherText !== null && selectedOptionIds[0] === 'approve')
      throw invalid('otherText', 'is the reason of a denial, and must be null with approve');
  }
  return { selectedOptionIds, otherText };
}

function checkOptions(form: InteractionForm, selected: readonly string[]): void {
  const ids = new Set(form.options.map((option) => option.id));
  const unknown = selected.find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw invalid('selectedOptionIds', `has ${JSON.stringify(unknown)}, which is no option of this form`);
  if (new Set(selected).size !== selected.length) throw invalid('selectedOptionIds', 'must not name an option twice');
}
