import { type ReactNode, useState } from 'react';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button';
import { wordsOf } from '../../ui/badge';
import { problemOf, problemsOf } from '../../ui/errors';
import { CheckField, NumberField, SelectField, TextField } from '../../ui/field';
import { Json, JsonField, asObject } from '../../ui/json';
import { StepForm } from './step-form';
import type { TemplateNames } from './template-completion';
import { TemplateField } from './template-field';
import { STEP_TYPES } from './step-types';
import { type StepDraft, beginningOf, newStep } from './task-form';

interface Props {
  /** Template variables, besides the steps. */
  names: Omit<TemplateNames, 'steps'>;
  steps: readonly StepDraft[];
  onChange: (steps: readonly StepDraft[]) => void;
  problem: Error | null;
  isReadOnly: boolean;
}

/** The steps in the order in which they run. */
export function StepsEditor({ names, steps, onChange, problem, isReadOnly }: Props): ReactNode {
  const change = (index: number, changes: Partial<StepDraft>): void =>
    onChange(steps.map((step, at) => (at === index ? { ...step, ...changes } : step)));
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
        {steps.map((step, index) => {
          const path = `steps[${index}]`;
          return (
            <li key={step.key} className="rounded-xl border border-line p-3">
              <div className="mb-3 flex items-center gap-2">
                <span className="grid size-6 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent">
                  {index + 1}
                </span>
                <span className="min-w-0 flex-1 truncate font-medium">{step.id}</span>
                {!isReadOnly && (
                  <>
                    <Button
                      look="ghost"
                      size="small"
                      aria-label={`Move ${step.id} up`}
                      disabled={index === 0}
                      icon={<ArrowUp className="size-4" />}
                      onClick={() => move(index, index - 1)}
                    />
                    <Button
                      look="ghost"
                      size="small"
                      aria-label={`Move ${step.id} down`}
                      disabled={index === steps.length - 1}
                      icon={<ArrowDown className="size-4" />}
                      onClick={() => move(index, index + 1)}
                    />
                    <Button
                      look="ghost"
                      size="small"
                      aria-label={`Remove ${step.id}`}
                      icon={<Trash2 className="size-4" />}
                      onClick={() => onChange(steps.filter((_, at) => at !== index))}
                    />
                  </>
                )}
              </div>
              <div className="grid gap-3 sm:grid-cols-3">
                <TextField
                  label="Id"
                  isCode
                  value={step.id}
                  onChange={(id) => change(index, { id })}
                  problem={problemOf(problem, `${path}.id`)}
                  disabled={isReadOnly}
                />
                <SelectField
                  label="Type"
                  value={step.type}
                  onChange={(value) => {
                    const type = STEP_TYPES.find((one) => one === value) ?? 'transform';
                    change(index, { type, with: beginningOf(type) });
                  }}
                  options={STEP_TYPES.map((value) => ({ value, label: value === 'http' ? 'HTTP' : wordsOf(value) }))}
                  problem={problemOf(problem, `${path}.type`)}
                  disabled={isReadOnly}
                />
                <TemplateField
                  label="Only if"
                  names={{ ...names, steps: steps.slice(0, index) }}
                  placeholder="{{ steps.a.output.ok }}"
                  value={step.if}
                  onChange={(when) => change(index, { if: when })}
                  problem={problemOf(problem, `${path}.if`)}
                  disabled={isReadOnly}
                />
                <div className="sm:col-span-3">
                  <StepBody
                    step={step}
                    onChange={(value) => change(index, { with: value })}
                    names={{ ...names, steps: steps.slice(0, index) }}
                    problem={problem}
                    path={`${path}.with`}
                    isReadOnly={isReadOnly}
                  />
                </div>
                <NumberField
                  label="Attempts"
                  min={1}
                  max={10}
                  step={1}
                  placeholder="1"
                  value={step.maxAttempts}
                  onChange={(maxAttempts) => change(index, { maxAttempts })}
                  problem={problemOf(problem, `${path}.retry.maxAttempts`)}
                  disabled={isReadOnly}
                />
                <NumberField
                  label="Retry after"
                  hint="Seconds; doubles with each attempt."
                  min={0}
                  max={3600}
                  step="any"
                  placeholder="1"
                  value={step.backoffSeconds}
                  onChange={(backoffSeconds) => change(index, { backoffSeconds })}
                  problem={problemOf(problem, `${path}.retry.backoffSeconds`)}
                  disabled={isReadOnly}
                />
                <div className="self-center">
                  <CheckField
                    label="Continue on error"
                    checked={step.continueOnError}
                    onChange={(continueOnError) => change(index, { continueOnError })}
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

interface BodyProps {
  step: StepDraft;
  /** JSON. */
  onChange: (text: string) => void;
  names: TemplateNames;
  problem: Error | null;
  path: string;
  isReadOnly: boolean;
}

/** A step, edited as a form or as JSON. */
function StepBody({ step, onChange, names, problem, path, isReadOnly }: BodyProps): ReactNode {
  const [asJson, setAsJson] = useState(false);
  const value = asObject(step.with);
  const label = `What ${step.id} does`;
  if (isReadOnly) return <Json label={label} value={value} />;
  const isForm = !asJson && value !== null;
  return (
    <div className="grid gap-2">
      {isForm ? (
        <StepForm
          key={step.type}
          step={step}
          value={value}
          onChange={(next) => onChange(JSON.stringify(next, null, 2))}
          names={names}
          error={problem}
          path={path}
          disabled={false}
        />
      ) : (
        <JsonField
          label={label}
          value={step.with}
          onChange={onChange}
          problem={value === null ? 'Must be a JSON object.' : problemsOf(problem, path)}
        />
      )}
      <div>
        <Button
          size="small"
          look="ghost"
          aria-label={asJson ? `Edit ${step.id} in the form` : `Edit ${step.id} as JSON`}
          disabled={value === null}
          onClick={() => setAsJson(!asJson)}
        >
          {asJson ? 'Form' : 'JSON'}
        </Button>
      </div>
    </div>
  );
}
