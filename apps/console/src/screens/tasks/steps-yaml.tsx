import { type ReactNode, useState } from 'react';
import { CodeField } from '../../ui/json';
import { problemsIn } from './steps-json';
import { stepsIn } from './task-form';
import { jsonOfYaml, readYaml, yamlLineOf, yamlOf } from './yaml-text';

interface Props {
  /** The steps as JSON: what is saved. */
  text: string;
  onChange: (text: string) => void;
  problem: Error | null;
}

function yamlIn(text: string): string {
  try {
    return yamlOf(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The steps as one YAML document. Its data is saved, not its formatting. */
export function StepsYaml({ text, onChange, problem }: Props): ReactNode {
  const [draft, setDraft] = useState(() => yamlIn(text));
  const [existing, setCurrent] = useState(text);
  // Saved, or replaced by a newer version.
  if (existing !== text) {
    setCurrent(text);
    if (jsonOfYaml(draft) !== text) setDraft(yamlIn(text));
  }
  const read = readYaml(draft);
  const change = (next: string): void => {
    const json = jsonOfYaml(next);
    setDraft(next);
    setCurrent(json);
    onChange(json);
  };
  return (
    <CodeField
      label="Steps as YAML"
      rows={16}
      value={draft}
      onChange={change}
      problem={
        'problem' in read
          ? read.problem
          : stepsIn(text) === null
            ? 'Must be a list of steps.'
            : problemsIn(problem, (path) => yamlLineOf(draft, path))
      }
      hint="Saved as JSON, with the fields that the form does not show. Comments are not kept."
    />
  );
}
