import { type AppError, FillMeter, fillText, invalid, type JsonObject } from '@switchyard/kernel';
import { shownBytes } from '../fields/json-size';
import { OVERSIZED_FACTOR, PROMPT_HOLES_MAX, SIZES } from '../input-size-limits';
import type { PromptVariable } from './agent-field-types';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Whether the prompt has placeholders. */
export const hasPlaceholders = (prompt: string): boolean => prompt.search(PLACEHOLDER) !== -1;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** Number of placeholders in a prompt. */
const holesIn = (prompt: string): number => {
  let holes = 0;
  for (const _ of prompt.matchAll(PLACEHOLDER)) if ((holes += 1) > PROMPT_HOLES_MAX) break;
  return holes;
};

/** Checks a prompt before it is saved. */
export function checkPrompt(prompt: string): void {
  if (holesIn(prompt) > PROMPT_HOLES_MAX)
    throw invalid('systemPrompt', `must not have more than ${PROMPT_HOLES_MAX} placeholders`);
}

/** Stored prompts from before the limit may exceed it and still be used. */
const PROMPT_LIMITS = { bytes: SIZES.filledPrompt, placeholders: PROMPT_HOLES_MAX * OVERSIZED_FACTOR };

const overFilled = (over: 'bytes' | 'placeholders'): AppError =>
  invalid(
    'systemPrompt',
    over === 'placeholders'
      ? `must not have more than ${PROMPT_LIMITS.placeholders} placeholders`
      : `must be at most ${shownBytes(PROMPT_LIMITS.bytes)} with the values of its variables; give it shorter ones`,
  );

/**
 * Replaces the placeholders of a prompt as text, once: inserted values are not scanned again, and nothing is evaluated.
 * Unknown placeholders stay as written. The size is checked before the text is built.
 */
export const renderPrompt = (template: string, values: ReadonlyMap<string, string>): string =>
  fillText(template, PLACEHOLDER, (name) => values.get(name), new FillMeter(PROMPT_LIMITS, overFilled));

/**
 * The values given by the call, or the defaults. A required variable without either is rejected with the path `field`.
 */
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
