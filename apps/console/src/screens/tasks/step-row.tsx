import { type ReactNode, useId } from 'react';
import { Link } from '@tanstack/react-router';
import type { Execution } from '@switchyard/client';
import {
  ArrowDown,
  ArrowUp,
  Bot,
  ChevronRight,
  Clock,
  Database,
  Globe,
  type LucideIcon,
  Play,
  Shuffle,
  Trash2,
  Zap,
} from 'lucide-react';
import { useClient } from '../../session/session-context';
import { Badge, StatusBadge, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { classes } from '../../ui/class-names';
import { problemOf } from '../../ui/errors';
import { CheckField, NumberField, SelectField, TextField } from '../../ui/field';
import { between } from '../../ui/format';
import { Refusal } from '../../ui/note';
import { Time } from '../../ui/time';
import { LargeJson } from '../executions/large-json';
import { StepBody } from './step-body';
import { STEP_TYPES } from './step-types';
import { type StepDraft, beginningOf } from './task-form';
import type { TemplateNames } from './template-completion';
import { TemplateField } from './template-field';

const ICONS: Record<StepDraft['type'], LucideIcon> = {
  agent: Bot,
  http: Globe,
  dataset: Database,
  emit: Zap,
  transform: Shuffle,
  wait: Clock,
};
const TYPES = STEP_TYPES.map((value) => ({ value, label: value === 'http' ? 'HTTP' : wordsOf(value) }));

interface Props {
  step: StepDraft;
  index: number;
  line: string;
  /** The bracket of a condition that this step shares with others, or has alone. */
  condition: { isFirst: boolean; isLast: boolean } | null;
  isLastStep: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (changes: Partial<StepDraft>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
  /** Null where no past run has inputs for it, or one may not run it. */
  onRun: (() => void) | null;
  lastRun: Execution | null;
  earlier: readonly StepDraft[];
  names: Omit<TemplateNames, 'steps'>;
  problem: Error | null;
  isReadOnly: boolean;
}

/** A step as one line with its last result. It opens into its form. */
export function StepRow(props: Props): ReactNode {
  const { step, index, line, condition, isLastStep, isOpen, onToggle, lastRun } = props;
  const form = useId();
  const Icon = ICONS[step.type];
  const last = lastRun?.steps.find(({ id }) => id === step.id);
  return (
    <li className="flex">
      <span aria-hidden="true" className="relative flex w-7 shrink-0 justify-center">
        {!isLastStep && <span className="absolute top-3 -bottom-3 w-px bg-line-strong" />}
        <span
          className={classes(
            'relative grid size-6 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent',
            condition?.isFirst === true ? 'mt-8' : 'mt-2.5',
          )}
        >
          {index + 1}
        </span>
      </span>
      <span
        aria-hidden="true"
        className={classes(
          'ml-1 w-2 shrink-0',
          condition && 'border-l-2 border-dashed border-line-strong',
          condition?.isFirst === true && 'rounded-tl-lg border-t-2',
          condition?.isLast === true && 'rounded-bl-lg border-b-2',
        )}
      />
      <div className="min-w-0 flex-1 pb-2">
        {condition?.isFirst === true && (
          <p className="truncate pt-0.5 pb-1 pl-1 text-xs text-soft" dir="auto" title={step.if}>
            Only if <code className="font-mono">{step.if}</code>
          </p>
        )}
        <div className="rounded-xl border border-line">
          <h3>
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? form : undefined}
              className="flex min-h-11 w-full flex-wrap items-center gap-x-2 gap-y-1 rounded-xl px-3 py-2 text-left outline-offset-[-2px] hover:bg-sunken"
              onClick={onToggle}
            >
              <ChevronRight
                aria-hidden="true"
                className={classes('size-4 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
              />
              <Icon className="size-4 shrink-0 text-faint" aria-hidden="true" />
              <span
                className="min-w-0 flex-1 basis-40 truncate max-sm:wrap-anywhere max-sm:whitespace-normal"
                dir="auto"
              >
                <span className="font-medium">{step.id}</span> <span className="text-sm text-soft">{line}</span>
              </span>
              {(step.maxAttempts ?? 1) > 1 && <Badge>up to {step.maxAttempts} attempts</Badge>}
              {step.continueOnError && <Badge>continues on error</Badge>}
              {last && (
                <span className="flex items-center gap-2 text-xs text-faint" title="In the last run">
                  <span className="sr-only">Last run:</span>
                  {between(last.startedAt, last.finishedAt)}
                  <StatusBadge status={last.status} />
                </span>
              )}
            </button>
          </h3>
          {isOpen && (
            <div id={form} className="grid gap-4 border-t border-line p-3">
              <Tools {...props} />
              <Fields {...props} />
              {lastRun && last && <LastResult run={lastRun} step={last} />}
            </div>
          )}
        </div>
      </div>
    </li>
  );
}

function Tools({ step, index, isLastStep, onMove, onRemove, onRun, isReadOnly }: Props): ReactNode {
  if (isReadOnly) return null;
  return (
    <div className="flex flex-wrap items-center gap-1">
      {onRun && (
        <Button size="small" icon={<Play className="size-3.5" aria-hidden="true" />} onClick={onRun}>
          Run this step
        </Button>
      )}
      <span className="flex-1" />
      <Button
        look="ghost"
        size="small"
        aria-label={`Move ${step.id} up`}
        disabled={index === 0}
        icon={<ArrowUp className="size-4" />}
        onClick={() => onMove(index - 1)}
      />
      <Button
        look="ghost"
        size="small"
        aria-label={`Move ${step.id} down`}
        disabled={isLastStep}
        icon={<ArrowDown className="size-4" />}
        onClick={() => onMove(index + 1)}
      />
      <Button
        look="ghost"
        size="small"
        aria-label={`Remove ${step.id}`}
        icon={<Trash2 className="size-4" />}
        onClick={onRemove}
      />
    </div>
  );
}

function Fields({ step, index, onChange, earlier, names, problem, isReadOnly }: Props): ReactNode {
  const path = `steps[${index}]`;
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <TextField
        label="Id"
        isCode
        value={step.id}
        onChange={(id) => onChange({ id })}
        problem={problemOf(problem, `${path}.id`)}
        disabled={isReadOnly}
      />
      <SelectField
        label="Type"
        value={step.type}
        onChange={(value) => {
          const type = STEP_TYPES.find((one) => one === value) ?? 'transform';
          onChange({ type, with: beginningOf(type) });
        }}
        options={TYPES}
        problem={problemOf(problem, `${path}.type`)}
        disabled={isReadOnly}
      />
      <TemplateField
        label="Only if"
        names={{ ...names, steps: earlier }}
        placeholder="{{ steps.a.output.ok }}"
        value={step.if}
        onChange={(when) => onChange({ if: when })}
        problem={problemOf(problem, `${path}.if`)}
        disabled={isReadOnly}
      />
      <div className="sm:col-span-3">
        <StepBody
          step={step}
          onChange={(value) => onChange({ with: value })}
          names={{ ...names, steps: earlier }}
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
        onChange={(maxAttempts) => onChange({ maxAttempts })}
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
        onChange={(backoffSeconds) => onChange({ backoffSeconds })}
        problem={problemOf(problem, `${path}.retry.backoffSeconds`)}
        disabled={isReadOnly}
      />
      <div className="self-center">
        <CheckField
          label="Continue on error"
          checked={step.continueOnError}
          onChange={(continueOnError) => onChange({ continueOnError })}
          disabled={isReadOnly}
        />
      </div>
    </div>
  );
}

function LastResult({ run, step }: { run: Execution; step: Execution['steps'][number] }): ReactNode {
  const client = useClient();
  return (
    <section aria-label={`Last result of ${step.id}`} className="grid gap-2 border-t border-line pt-3">
      <p className="flex flex-wrap items-center gap-x-3 text-xs font-medium text-faint">
        <span>
          Output in the last run, <Time at={run.createdAt} />
        </span>
        <Link to={`/executions/${run.id}`} className="text-accent underline-offset-2 hover:underline">
          Open execution
        </Link>
      </p>
      <Refusal error={step.error} />
      {step.output !== null && (
        <LargeJson
          label={`Last output of ${step.id}`}
          value={step.output}
          load={() => client.tasks.executionContent(run.id, `steps.${step.id}.output`)}
        />
      )}
    </section>
  );
}
