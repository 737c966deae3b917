import { type ReactNode, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Execution } from '@switchyard/client';
import { useActivity } from '../../api/activity-context';
import { NotFound } from '../../frame/not-found';
import { useClient, useMay } from '../../session/session-context';
import { Badge, StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { isNotFound } from '../../ui/errors';
import { between, exactTime } from '../../ui/format';
import { Json } from '../../ui/json';
import { Page, Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { toast } from '../../ui/toast';
import { RunDialog } from './run-dialog';

const UNDER_WAY = new Set<Execution['status']>(['QUEUED', 'RUNNING']);
const RETRIABLE = new Set<Execution['status']>(['FAILED', 'TIMED_OUT', 'CANCELLED']);
const LOOK_AGAIN_MS = 1_500;

export function ExecutionPage(): ReactNode {
  const { executionId = '' }: { executionId?: string } = useParams({ strict: false });
  const client = useClient();
  const queries = useQueryClient();
  const mayRun = useMay('MEMBER');
  const [isRerun, setRerun] = useState(false);
  const query = useQuery({
    queryKey: ['execution', executionId],
    queryFn: () => client.tasks.execution(executionId),
    refetchInterval: ({ state }) => (state.data && UNDER_WAY.has(state.data.status) ? LOOK_AGAIN_MS : false),
  });
  const execution = query.data;
  const taskId = execution?.taskId;
  const task = useQuery({
    queryKey: ['task', taskId],
    queryFn: () => client.tasks.get(taskId ?? ''),
    enabled: taskId !== undefined,
  });
  const again = (): void => void queries.invalidateQueries({ queryKey: ['execution', executionId] });
  useActivity((row) => {
    if (row === null || row.id === executionId) again();
  });
  const deed = useMutation({
    mutationFn: (word: 'cancel' | 'retry') =>
      word === 'cancel' ? client.tasks.cancelExecution(executionId) : client.tasks.retryExecution(executionId),
    onSettled: again,
    onError: toast.failed,
  });
  if (query.error)
    return isNotFound(query.error) ? (
      <NotFound />
    ) : (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    );
  const name = task.data?.name ?? 'Execution';
  if (!execution)
    return (
      <Page title={name} crumbs={[{ label: 'Tasks', to: '/tasks' }]}>
        <Loading label="Loading the execution" lines={8} />
      </Page>
    );
  const { status, startedAt, finishedAt, createdAt } = execution;
  return (
    <Page
      title={name}
      crumbs={[
        { label: 'Tasks', to: '/tasks' },
        { label: name, to: `/tasks/${execution.taskId}` },
      ]}
      aside={
        <>
          <StatusBadge status={status} />
          {execution.attempt > 1 && <Badge>attempt {execution.attempt}</Badge>}
        </>
      }
      description={`${exactTime(createdAt)}${finishedAt === null ? '' : `, took ${between(startedAt ?? createdAt, finishedAt) ?? ''}`}`}
      actions={
        <>
          <Link to={`/causes/execution/${executionId}`} className="px-2 text-accent underline-offset-2 hover:underline">
            Causes
          </Link>
          {mayRun && UNDER_WAY.has(status) && (
            <Button look="danger" isBusy={deed.isPending} onClick={() => deed.mutate('cancel')}>
              Cancel
            </Button>
          )}
          {mayRun && RETRIABLE.has(status) && (
            <Button isBusy={deed.isPending} onClick={() => deed.mutate('retry')}>
              Retry
            </Button>
          )}
          {mayRun && <Button onClick={() => setRerun(true)}>Rerun</Button>}
        </>
      }
    >
      {execution.error && (
        <p role="alert" className="mb-4 rounded-lg bg-bad-soft px-4 py-3 break-words text-bad">
          {execution.error.message} <span className="font-mono text-xs">{execution.error.code}</span>
        </p>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
        <Section title="Steps">
          <ol className="grid gap-2">
            {execution.steps.map((step, place) => (
              <li key={step.id}>
                <details className="rounded-lg border border-line" open={step.status === 'FAILED' || undefined}>
                  <summary className="flex flex-wrap items-center gap-3 px-3 py-2">
                    <span className="w-5 text-right text-faint">{place + 1}</span>
                    <span className="min-w-0 flex-1 truncate font-medium">{step.id}</span>
                    <span className="text-sm text-faint">{step.type}</span>
                    <span className="text-sm text-faint">{between(step.startedAt, step.finishedAt)}</span>
                    <StatusBadge status={step.status} />
                  </summary>
                  <div className="grid gap-3 border-t border-line p-3">
                    {step.error && (
                      <p className="rounded-lg bg-bad-soft px-3 py-2 break-words text-bad">
                        {step.error.message} <span className="font-mono text-xs">{step.error.code}</span>
                      </p>
                    )}
                    <Part name="Input" of={step.id} value={step.input} />
                    <Part name="Output" of={step.id} value={step.output} />
                  </div>
                </details>
              </li>
            ))}
          </ol>
        </Section>
        <div>
          <Section title="Inputs">
            <Json label="Inputs" value={execution.inputs} />
          </Section>
          <Section title="Output">
            <Json label="Output" value={execution.output} />
          </Section>
        </div>
      </div>
      {isRerun && (
        <RunDialog
          deed="Rerun"
          title={`Rerun ${name}`}
          inputs={withoutTrigger(execution.inputs)}
          run={(inputs) => client.tasks.rerun(executionId, { inputs, idempotencyKey: crypto.randomUUID() })}
          onClose={() => setRerun(false)}
        />
      )}
    </Page>
  );
}

const Part = ({ name, of, value }: { name: string; of: string; value: unknown }): ReactNode => (
  <div>
    <p className="mb-1 text-xs font-medium text-faint">{name}</p>
    <Json label={`${name} of ${of}`} value={value} />
  </div>
);

/** It comes from the event, and cannot be given by hand. */
const withoutTrigger = ({ trigger: _trigger, ...inputs }: Record<string, unknown>): Record<string, unknown> => inputs;
