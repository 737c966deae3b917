import type { ReactNode } from 'react';
import { SwitchyardError } from '@switchyard/client';
import { JsonField } from '../../ui/json';
import { lineOf } from './json-path-line';
import { stepsIn } from './task-form';

interface Props {
  text: string;
  onChange: (text: string) => void;
  problem: Error | null;
}

/** The steps as one document; what the API refuses is said with its line. */
export function StepsJson({ text, onChange, problem }: Props): ReactNode {
  return (
    <JsonField
      label="Steps as JSON"
      rows={16}
      value={text}
      onChange={onChange}
      problem={
        stepsIn(text) === null ? 'Must be a JSON list of steps.' : problemsIn(problem, (path) => lineOf(text, path))
      }
      hint="Saved as a whole, with the fields that the form does not show."
    />
  );
}

/** The API's errors for the steps, each with its line. */
export function problemsIn(error: unknown, lineOfPath: (path: string) => number): string | undefined {
  if (!(error instanceof SwitchyardError)) return undefined;
  const lines = error.details
    .filter(({ path }) => path === 'steps' || path.startsWith('steps['))
    .map(({ path, message }) => `Line ${lineOfPath(path.slice('steps'.length))}: ${path} ${message}`);
  return lines.length === 0 ? undefined : lines.join('\n');
}
