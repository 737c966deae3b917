import { type ReactNode, useState } from 'react';
import type { Execution } from '@switchyard/client';
import { Plus } from 'lucide-react';
import { Button } from '../../ui/button';
import { problemsOf } from '../../ui/errors';
import { asObject } from '../../ui/json';
import { useDatasets } from '../agents/use-datasets';
import { useAgentNames } from '../jobs/use-agent-names';
import { groupsOf, lineOf } from './step-summary';
import { StepRow } from './step-row';
import { type StepDraft, newStep } from './task-form';
import type { TemplateNames } from './template-completion';

interface Props {
  /** Template variables, besides the steps. */
  names: Omit<TemplateNames, 'steps'>;
  steps: readonly StepDraft[];
  onChange: (steps: readonly StepDraft[]) => void;
  problem: Error | null;
  isReadOnly: boolean;
  lastRun: Execution | null;
  onRun: ((step: StepDraft) => void) | null;
}

type Opened = ReadonlySet<string>;

/** Steps with a problem, by id. */
const refusedSteps = (steps: readonly StepDraft[], problem: Error | null): string[] =>
  steps.flatMap(({ id }, index) => (problemsOf(problem, `steps[${index}]`) === undefined ? [] : [id]));

/** The steps in the order in which they run: one line each, opened to be edited. */
export function StepsEditor({ names, steps, onChange, problem, isReadOnly, lastRun, onRun }: Props): ReactNode {
  const { readName } = useAgentNames();
  const datasets = useDatasets();
  const [opened, setOpened] = useState<Opened>(
    () => new Set([...(steps.length === 1 ? steps.map(({ id }) => id) : []), ...refusedSteps(steps, problem)]),
  );
  const [seen, setSeen] = useState(problem);
  // A refused step opens: its field says why.
  if (problem !== seen) {
    setSeen(problem);
    setOpened(new Set([...opened, ...refusedSteps(steps, problem)]));
  }
  const toggle = (id: string): void => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  const change = (index: number, changes: Partial<StepDraft>): void => {
    const before = steps[index]?.id ?? '';
    // A step stays open under its new id.
    if (changes.id !== undefined && opened.has(before)) setOpened(new Set([...opened, changes.id]));
    onChange(steps.map((step, at) => (at === index ? { ...step, ...changes } : step)));
  };
  const move = (from: number, to: number): void => {
    const moved = [...steps];
    const [step] = moved.splice(from, 1);
    if (step) moved.splice(to, 0, step);
    onChange(moved);
  };
  const add = (): void => {
    const step = newStep(steps.length);
    setOpened(new Set([...opened, step.id]));
    onChange([...steps, step]);
  };
  const recordNames = {
    agent: readName,
    dataset: (id: string) => datasets.find((dataset) => dataset.id === id)?.name ?? '',
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {steps.length === 0 && (
        <p className="text-faint">A task needs a step. Each step can use the output of earlier steps.</p>
      )}
      <ol>
        {groupsOf(steps).flatMap((group) =>
          group.steps.map(({ step, index }, at) => (
            <StepRow
              key={step.key}
              step={step}
              index={index}
              line={lineOf(step, recordNames)}
              condition={group.condition === '' ? null : { isFirst: at === 0, isLast: at === group.steps.length - 1 }}
              isLastStep={index === steps.length - 1}
              isOpen={opened.has(step.id)}
              onToggle={() => toggle(step.id)}
              onChange={(changes) => change(index, changes)}
              onMove={(to) => move(index, to)}
              onRemove={() => onChange(steps.filter((_, other) => other !== index))}
              onRun={onRun && asObject(step.with) !== null ? () => onRun(step) : null}
              lastRun={lastRun}
              earlier={steps.slice(0, index)}
              names={names}
              problem={problem}
              isReadOnly={isReadOnly}
            />
          )),
        )}
      </ol>
      {!isReadOnly && (
        <div>
          <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={add}>
            Add step
          </Button>
        </div>
      )}
    </div>
  );
}
