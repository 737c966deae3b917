import { asObject } from '../../ui/json-object';
import { type With, valueAt } from './step-shapes';
import type { StepDraft } from './task-form';

/** Names of the records that steps refer to. */
export interface StepNames {
  agent: (id: string) => string;
  dataset: (id: string) => string;
}

const MOST = 120;

/** Templates are filled in as the step runs: the line leaves them out. */
const shortened = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .replaceAll(/\{\{.*?\}\}/gsu, '…')
        .replaceAll(/\s+/gu, ' ')
        .trim()
    : '';

const addressOf = (url: string): string => url.replace(/^https?:\/\//u, '');
const joined = (separator: string, ...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(separator);

/** The step in one line: `POST stock.example/…`. */
export function lineOf({ type, with: text }: Pick<StepDraft, 'type' | 'with'>, names: StepNames): string {
  const value: With = asObject(text) ?? {};
  const at = (...path: string[]): string => shortened(valueAt(value, path));
  const lines: Record<StepDraft['type'], () => string> = {
    http: () => joined(' ', at('method') || 'GET', addressOf(at('url'))),
    agent: () => joined(': ', names.agent(at('agentId')), at('inputs', 'query')),
    dataset: () => joined(' ', at('operation'), names.dataset(at('datasetId'))),
    emit: () => joined(' · ', at('appIdentifier'), at('event')),
    transform: () => Object.keys(value).join(', '),
    wait: () => (typeof value['seconds'] === 'number' ? `${value['seconds']} s` : at('seconds')),
  };
  return lines[type]().slice(0, MOST);
}

export interface StepGroup<T> {
  /** The condition that the steps share; empty without one. */
  condition: string;
  steps: { step: T; index: number }[];
}

/** Steps in order; those that follow each other under the same condition are one group. */
export function groupsOf<T extends Pick<StepDraft, 'if'>>(steps: readonly T[]): StepGroup<T>[] {
  const groups: StepGroup<T>[] = [];
  for (const [index, step] of steps.entries()) {
    const condition = step.if.trim();
    const last = groups.at(-1);
    if (last && condition !== '' && last.condition === condition) last.steps.push({ step, index });
    else groups.push({ condition, steps: [{ step, index }] });
  }
  return groups;
}
