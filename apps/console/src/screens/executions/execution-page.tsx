import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Execution, SwitchyardClient } from '@switchyard/client';
import { hasFailed, isUnderWay } from '../../api/status';
import { useRefresh } from '../../api/use-refresh';
import { useClient, useMay } from '../../session/session-context';
import { Badge, StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { between, exactTime } from '../../ui/format';
import { Refusal } from '../../ui/note';
import { Page, Section } from '../../ui/page';
import { RecordOf } from '../../ui/record';
import { useAction } from '../../ui/use-action';
import { LargeJson } from './large-json';
import { RunDialog } from './run-dialog';
import { isTruncated } from './truncated';

const LOOK_AGAIN_MS = 1_500;
const crumbs = [{ label: 'Tasks', to: '/tasks' }];

type Field = Parameters<SwitchyardClient['tasks']['executionContent']>[1];

const canRetry = (status: Execution['status']): boolean => hasFailed(status) || status === 'CANCELLED';

export function ExecutionPage(): ReactNode {
  const { executionId = '' }: { executionId?: string } = useParams({ strict: false });
  const client = useClient();
  const query = useQuery({
    queryKey: ['execution', executionId],
    queryFn: () => client.tasks.execution(executionId),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.status) ? LOOK_AGAIN_MS : false),
  });
  useRefresh(['execution', executionId], ({ id }) => id === executionId);
  return (
    <RecordOf query={query} noun="execution" crumbs={crumbs}>
      {(execution) => <OneExecution key={execution.id} execution={execution} />}
    </RecordOf>
  );
}

function OneExecution({ execution }: { execution: Execution }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const mayRun = useMay('MEMBER');
  const [open, setOpen] = useState<'rerun' | 'cancel' | null>(null);
  const { id, taskId, status, startedAt, finishedAt, createdAt, inputs } = execution;
  const close = (): void => setOpen(null);
  const task = useQuery({ queryKey: ['task', taskId], queryFn: () => client.tasks.get(taskId) });
  const name = task.data?.name ?? 'Execution';
  const retry = useAction(() => client.tasks.retryExecution(id), { changes: [['execution', id]], saysRefusal: true });
  const cancel = async (): Promise<void> => {
    await client.tasks.cancelExecution(id);
    await queries.invalidateQueries({ queryKey: ['execution', id] });
  };
  const load = (field: Field) => () => client.tasks.executionContent(id, field);
  return (
    <Page
      title={name}
      crumbs={[...crumbs, { label: name, to: `/tasks/${taskId}` }]}
      aside={
        <>
          <StatusBadge status={status} />
          {execution.triedStep !== null && <Badge>step {execution.triedStep} alone</Badge>}
          {execution.attempt > 1 && <Badge>attempt {execution.attempt}</Badge>}
        </>
      }
      description={`${exactTime(createdAt)}${finishedAt === null ? '' : `, took ${between(startedAt ?? createdAt, finishedAt) ?? ''}`}`}
      actions={
        <>
          <Link to={`/causes/execution/${id}`} className="px-2 text-accent underline-offset-2 hover:underline">
            Causes
          </Link>
          {mayRun && isUnderWay(status) && (
            <Button look="danger" onClick={() => setOpen('cancel')}>
              Cancel
            </Button>
          )}
          {mayRun && canRetry(status) && (
            <Button isBusy={retry.isBusy} onClick={() => void retry.run()}>
              Retry
            </Button>
          )}
          {mayRun && <Button onClick={() => setOpen('rerun')}>Rerun</Button>}
        </>
      }
    >
      <Refusal error={execution.error} className="mb-4" />
      <div className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
        <Section title="Steps">
          <ol className="grid gap-2">
            {execution.steps.map((step, index) => (
              <li key={step.id}>
                <details className="rounded-lg border border-line" open={step.status === 'FAILED' || undefined}>
                  <summary className="flex flex-wrap items-center gap-3 px-3 py-2">
                    <span className="w-5 text-right text-faint">{index + 1}</span>
                    <span className="min-w-0 flex-1 basis-32 font-medium wrap-anywhere">{step.id}</span>
                    <span className="text-sm text-faint">{step.type}</span>
                    <span className="text-sm text-faint">{between(step.startedAt, step.finishedAt)}</span>
                    <StatusBadge status={step.status} />
                  </summary>
                  <div className="grid gap-3 border-t border-line p-3">
                    <Refusal error={step.error} />
                    <Part name="Input" of={step.id} value={step.input} load={load(`steps.${step.id}.input`)} />
                    <Part name="Output" of={step.id} value={step.output} load={load(`steps.${step.id}.output`)} />
                  </div>
                </details>
              </li>
            ))}
          </ol>
        </Section>
        <div>
          <Section title="Inputs">
            <LargeJson label="Inputs" value={inputs} load={load('inputs')} />
          </Section>
          <Section title="Output">
            <LargeJson label="Output" value={execution.output} load={load('output')} />
          </Section>
        </div>
      </div>
      {open === 'rerun' && (
        <RunDialog
          action="Rerun"
          title={`Rerun ${name}`}
          inputs={isTruncated(inputs) ? inputs : withoutTrigger(inputs)}
          run={(changed, idempotencyKey) => client.tasks.rerun(id, { inputs: changed, idempotencyKey })}
          runUnchanged={(idempotencyKey) => client.tasks.rerun(id, { idempotencyKey })}
          onClose={close}
        />
      )}
      <ConfirmDialog open={open === 'cancel'} onClose={close} action="Cancel execution" onConfirm={cancel}>
        Stops this execution of {name}. Work already done is kept.
      </ConfirmDialog>
    </Page>
  );
}

interface PartProps {
  name: string;
  of: string;
  value: unknown;
  load: () => Promise<ReadableStream<Uint8Array>>;
}

const Part = ({ name, of, value, load }: PartProps): ReactNode => (
  <div>
    <p className="mb-1 text-xs font-medium text-faint">{name}</p>
    <LargeJson label={`${name} of ${of}`} value={value} load={load} />
  </div>
);

/** It comes from the event, and cannot be given by hand. */
const withoutTrigger = ({ trigger: _trigger, ...inputs }: Record<string, unknown>): Record<string, unknown> => inputs;
