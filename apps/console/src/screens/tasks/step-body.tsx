import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button';
import { problemsOf } from '../../ui/errors';
import { Json, JsonField, asObject } from '../../ui/json';
import { StepForm } from './step-form';
import type { StepDraft } from './task-form';
import type { TemplateNames } from './template-completion';

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
export function StepBody({ step, onChange, names, problem, path, isReadOnly }: BodyProps): ReactNode {
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
