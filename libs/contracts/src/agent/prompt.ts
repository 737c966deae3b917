import { type AppError, FillMeter, fillText, invalid, type JsonObject } from '@switchyard/kernel';
import { shownBytes } from '../fields/size';
import { OVERSIZED_FACTOR, PROMPT_HOLES_MAX, SIZES } from '../sizes';
import type { PromptVariable } from './agent-parts';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Whether a prompt is a template: something in it is to be filled in. */
export const hasPlaceholders = (prompt: string): boolean => prompt.search(PLACEHOLDER) !== -1;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** How many places of a prompt are filled in. */
const holesIn = (prompt: string): number => {
  let holes = 0;
  for (const _ of prompt.matchAll(PLACEHOLDER)) if ((holes += 1) > PROMPT_HOLES_MAX) break;
  return holes;
};

/** Of a prompt that is saved. */
export function checkPrompt(prompt: string): void {
  if (holesIn(prompt) > PROMPT_HOLES_MAX)
    throw invalid('systemPrompt', `must not have more than ${PROMPT_HOLES_MAX} placeholders`);
}

/** Prompts of before may have more places than can be saved now, and still be used. */
const PROMPT_LIMITS = { bytes: SIZES.filledPrompt, places: PROMPT_HOLES_MAX * OVERSIZED_FACTOR };

const overFilled = (over: 'bytes' | 'placeholders'): AppError =>
  invalid(
    'systemPrompt',
    over === 'placeholders'
      ? `must not have more than ${PROMPT_LIMITS.places} placeholders`
      : `must be at most ${shownBytes(PROMPT_LIMITS.bytes)} with the values of its variables; give it shorter ones`,
  );

/**
 * Puts values into a prompt as text, once: what is inserted is never read as a template again, and nothing is
 * evaluated. A placeholder that nobody declared and nobody gave stays as it is written. What it grows to is counted
 * before it is made.
 */
export const renderPrompt = (template: string, values: ReadonlyMap<string, string>): string =>
  fillText(template, PLACEHOLDER, (name) => values.get(name), new FillMeter(PROMPT_LIMITS, overFilled));

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
