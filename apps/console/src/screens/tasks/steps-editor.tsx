import type { ReactNode } from 'react';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button';
import { wordsOf } from '../../ui/badge';
import { problemOf, problemsOf } from '../../ui/errors';
import { CheckField, NumberField, SelectField, TextField } from '../../ui/field';
import { Json, JsonField, asObject } from '../../ui/json';
import { STEP_TYPES, type StepDraft, beginningOf, newStep } from './task-form';

interface Props {
  steps: readonly StepDraft[];
  onChange: (steps: readonly StepDraft[]) => void;
  problem: Error | null;
  isReadOnly: boolean;
}

/** The steps in the order in which they run. */
export function StepsEditor({ steps, onChange, problem, isReadOnly }: Props): ReactNode {
  const change = (place: number, changes: Partial<StepDraft>): void =>
    onChange(steps.map((step, at) => (at === place ? { ...step, ...changes } : step)));
  const move = (from: number, to: number): void => {
    const moved = [...steps];
    const [step] = moved.splice(from, 1);
    if (step) moved.splice(to, 0, step);
    onChange(moved);
  };
  return (
    <div className="grid gap-3">
      {steps.length === 0 && (
        <p className="text-faint">A task needs a step. Each step can use the output of earlier steps.</p>
      )}
      <ol className="grid gap-3">
        {steps.map((step, place) => {
          const path = `steps[${place}]`;
          return (
            <li key={step.key} className="rounded-xl border border-line p-3">
              <div className="mb-3 flex items-center gap-2">
                <span className="grid size-6 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent">
                  {place + 1}
                </span>
                <span className="min-w-0 flex-1 truncate font-medium">{step.id}</span>
                {!isReadOnly && (
                  <>
                    <Button
                      look="ghost"
                      size="small"
                      aria-label={`Move ${step.id} up`}
                      disabled={place === 0}
                      icon={<ArrowUp className="size-4" />}
                      onClick={() => move(place, place - 1)}
                    />
                    <Button
                      look="ghost"
                      size="small"
                      aria-label={`Move ${step.id} down`}
                      disabled={place === steps.length - 1}
                      icon={<ArrowDown className="size-4" />}
                      onClick={() => move(place, place + 1)}
                    />
                    <Button
                      look="ghost"
                      size="small"
                      aria-label={`Remove ${step.id}`}
                      icon={<Trash2 className="size-4" />}
                      onClick={() => onChange(steps.filter((_, at) => at !== place))}
                    />
                  </>
                )}
              </div>
              <div className="grid gap-3 sm:grid-cols-3">
                <TextField
                  label="Id"
                  isCode
                  value={step.id}
                  onChange={(id) => change(place, { id })}
                  problem={problemOf(problem, `${path}.id`)}
                  disabled={isReadOnly}
                />
                <SelectField
                  label="Type"
                  value={step.type}
                  onChange={(value) => {
                    const type = STEP_TYPES.find((one) => one === value) ?? 'transform';
                    change(place, { type, with: beginningOf(type) });
                  }}
                  options={STEP_TYPES.map((value) => ({ value, label: wordsOf(value) }))}
                  problem={problemOf(problem, `${path}.type`)}
                  disabled={isReadOnly}
                />
                <TextField
                  label="Only if"
                  isCode
                  placeholder="{{ steps.a.output.ok }}"
                  value={step.if}
                  onChange={(when) => change(place, { if: when })}
                  problem={problemOf(problem, `${path}.if`)}
                  disabled={isReadOnly}
                />
                <div className="sm:col-span-3">
                  {isReadOnly ? (
                    <Json label={`What ${step.id} does`} value={asObject(step.with)} />
                  ) : (
                    <JsonField
                      label={`What ${step.id} does`}
                      value={step.with}
                      onChange={(value) => change(place, { with: value })}
                      problem={
                        asObject(step.with) === null ? 'Must be a JSON object.' : problemsOf(problem, `${path}.with`)
                      }
                      hint={`Templates: {{ execution.inputs.name }}${steps
                        .slice(0, place)
                        .map(({ id }) => `, {{ steps.${id}.output }}`)
                        .join('')}`}
                    />
                  )}
                </div>
                <NumberField
                  label="Attempts"
                  min={1}
                  max={10}
                  step={1}
                  placeholder="As the task"
                  value={step.maxAttempts}
                  onChange={(maxAttempts) => change(place, { maxAttempts })}
                  problem={problemOf(problem, `${path}.retry`)}
                  disabled={isReadOnly}
                />
                <div className="self-center sm:col-span-2">
                  <CheckField
                    label="Continue on error"
                    checked={step.continueOnError}
                    onChange={(continueOnError) => change(place, { continueOnError })}
                    disabled={isReadOnly}
                  />
                </div>
              </div>
            </li>
          );
        })}
      </ol>
      {!isReadOnly && (
        <div>
          <Button
            icon={<Plus className="size-4" aria-hidden="true" />}
            onClick={() => onChange([...steps, newStep(steps.length)])}
          >
            Add step
          </Button>
        </div>
      )}
    </div>
  );
}
