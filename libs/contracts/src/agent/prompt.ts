import { invalid, type JsonObject } from '@switchyard/kernel';
import type { PromptVariable } from './agent-parts';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Whether a prompt is a template: something in it is to be filled in. */
export const hasPlaceholders = (prompt: string): boolean => prompt.search(PLACEHOLDER) !== -1;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/**
 * Puts values into a prompt as text, once: what is inserted is never read as a template again, and nothing is
 * evaluated. A placeholder that nobody declared and nobody gave stays as it is written.
 */
export function renderPrompt(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

/** The values of a call: what it gives, else the default. A required variable with neither is refused, by the name of `field`. */
export function promptValues(
  variables: readonly PromptVariable[],
  inputs: JsonObject,
  { strict, field = 'inputs' }: { strict: boolean; field?: string },
): Map<string, string> {
  const values = new Map<string, string>();
  for (const variable of variables) {
    const given = Object.hasOwn(inputs, variable.name) ? inputs[variable.name] : undefined;
    if (given !== undefined && given !== null) values.set(variable.name, asText(given));
    else if (variable.default !== undefined) values.set(variable.name, asText(variable.default));
    else if (variable.required && strict)
      throw invalid(`${field}.${variable.name}`, 'is a required variable of this agent');
    else values.set(variable.name, '');
  }
  return values;
}
