import type { InteractionForm } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';

/** A form that can be answered: at least one way to do so, distinct options, satisfiable bounds. */
export function checkForm(form: InteractionForm): void {
  const ids = new Set(form.options.map((option) => option.id));
  if (ids.size !== form.options.length) throw invalid('options', 'must have ids that differ');
  if (form.options.length === 0 && !form.allowOther)
    throw invalid('options', 'must not be empty unless allowOther is true');
  if (form.kind === 'single_choice') return;
  const choices = form.options.length + (form.allowOther ? 1 : 0);
  const least = form.minSelections ?? 1;
  if (least > choices) throw invalid('minSelections', 'asks for more than there is to choose');
  if (form.maxSelections !== undefined && form.maxSelections < least) {
    throw invalid('maxSelections', 'must not be under minSelections');
  }
}
