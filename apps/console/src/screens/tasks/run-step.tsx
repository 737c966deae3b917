import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Execution } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { StatusBadge, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { SelectField } from '../../ui/field';
import { between, exactTime } from '../../ui/format';
import { Note, Refusal } from '../../ui/note';
import { useAction } from '../../ui/use-action';
import { LargeJson } from '../executions/large-json';
import { type StepDraft, stepsOf } from './task-form';
import { stepsReadBy, tryStep } from './try-step';

interface Props {
  step: StepDraft;
  /** Past runs, newest first: at least one. */
  runs: readonly Execution[];
  onClose: () => void;
}

/** Runs one step as it is written here, with the inputs and results of a past run. */
export function RunStep({ step, runs, onClose }: Props): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [runId, setRunId] = useState(runs[0]?.id ?? '');
  const [execution, setExecution] = useState<Execution | null>(null);
  const [written] = stepsOf([step]);
  const test = useAction(async () => {
    if (!written) return;
    setExecution(null);
    await tryStep(client, { step: written, runId, onProgress: setExecution });
    await Promise.all(['activity', 'executions'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  });
  const run = runs.find(({ id }) => id === runId);
  const missing = (written ? stepsReadBy(written) : []).filter(
    (id) => run?.steps.every((other) => other.id !== id || other.status !== 'SUCCEEDED') !== false,
  );
  const result = execution?.steps[0];
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      isDirty={false}
      title={`Run ${step.id}`}
      description="This step alone, as it is written here. It runs for real: it sends requests, writes data and spends tokens."
    >
      <div className="grid gap-4">
        <SelectField
          label="Inputs and results of the run"
          value={runId}
          onChange={setRunId}
          disabled={test.isBusy}
          options={runs.map(({ id, createdAt, status }) => ({
            value: id,
            label: `${exactTime(createdAt)} · ${wordsOf(status)}`,
          }))}
        />
        {missing.length > 0 && (
          <Note tone="warn">
            The run has no result of {missing.join(', ')}: {missing.length === 1 ? 'its value is' : 'their values are'}{' '}
            empty.
          </Note>
        )}
        <div className="flex justify-end">
          <Button look="primary" isBusy={test.isBusy} onClick={() => void test.run()}>
            Run this step
          </Button>
        </div>
        <Refusal error={test.error} />
        {execution && (
          <section aria-label="Result of the step" className="grid gap-3 border-t border-line pt-4">
            <div role="status" className="flex flex-wrap items-center gap-3">
              <StatusBadge status={result?.status ?? execution.status} />
              <span className="text-soft">{between(execution.startedAt, execution.finishedAt)}</span>
              <Link
                to={`/executions/${execution.id}`}
                className="ml-auto font-medium text-accent underline-offset-2 hover:underline"
              >
                Open execution
              </Link>
            </div>
            <Refusal error={result?.error ?? execution.error} />
            {result && result.input !== null && (
              <Part label="Input" value={result.input} load={load(client, execution.id, step.id, 'input')} />
            )}
            {result && result.output !== null && (
              <Part label="Output" value={result.output} load={load(client, execution.id, step.id, 'output')} />
            )}
          </section>
        )}
      </div>
    </Dialog>
  );
}

interface PartProps {
  label: string;
  value: unknown;
  load: () => Promise<ReadableStream<Uint8Array>>;
}

const Part = ({ label, value, load: read }: PartProps): ReactNode => (
  <div>
    <p className="mb-1 text-xs font-medium text-faint">{label}</p>
    <LargeJson label={label} value={value} load={read} />
  </div>
);

const load =
  (client: ReturnType<typeof useClient>, executionId: string, stepId: string, part: 'input' | 'output') =>
  (): Promise<ReadableStream<Uint8Array>> =>
    client.tasks.executionContent(executionId, `steps.${stepId}.${part}`);
