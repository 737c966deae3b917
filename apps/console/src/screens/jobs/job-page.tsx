import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { JobPhase } from '@switchyard/client';
import { useActivity } from '../../api/activity-context';
import { NotFound } from '../../frame/not-found';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { isNotFound } from '../../ui/errors';
import { Facts } from '../../ui/facts';
import { between, number } from '../../ui/format';
import { Json } from '../../ui/json';
import { Meter } from '../../ui/meter';
import { Page, Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { useAgentNames } from './use-agent-names';

const ENDED: ReadonlySet<JobPhase> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);
const POLL_MS = 2_000;

export function JobPage(): ReactNode {
  const params: { jobId?: string } = useParams({ strict: false });
  const jobId = params.jobId ?? '';
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay('MEMBER');
  const { nameOf } = useAgentNames();
  const [isCancelling, setCancelling] = useState(false);
  const found = useQuery({
    queryKey: ['jobs', jobId],
    queryFn: () => client.jobs.get(jobId),
    // Progress is no change of state: nobody tells of it.
    refetchInterval: ({ state }) => (state.data && ENDED.has(state.data.phase) ? false : POLL_MS),
  });
  useActivity((row) => {
    if (row === null || row.id === jobId) void found.refetch();
  });
  if (isNotFound(found.error)) return <NotFound />;
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  const job = found.data;
  if (!job) return <Loading lines={8} />;
  const cancel = async (): Promise<void> => {
    await client.jobs.cancel(jobId);
    await queries.invalidateQueries({ queryKey: ['jobs'] });
  };
  return (
    <Page
      title={`Job of ${nameOf(job.agentId)}`}
      crumbs={[{ label: 'Jobs', to: '/jobs' }]}
      aside={<StatusBadge status={job.phase} />}
      actions={
        mayWrite &&
        !ENDED.has(job.phase) && (
          <Button look="danger" onClick={() => setCancelling(true)}>
            Cancel
          </Button>
        )
      }
    >
      <Section title="Run">
        <div className="grid gap-4">
          <Meter label="Progress in percent" used={job.progress} cap={100} note={job.progressMessage ?? undefined} />
          <Facts
            of={[
              ['Submitted', <Time key="at" at={job.createdAt} />],
              ['Took', between(job.startedAt, job.finishedAt)],
              ['Attempt', `${job.attempt} of ${job.maxAttempts}`],
              ['Priority', number(job.priority)],
              ['Timeout', `${number(job.timeoutSeconds)} s`],
              ['Callback', job.callbackUrl],
            ]}
          />
          <Link to={`/causes/job/${job.id}`} className="w-fit text-accent hover:underline">
            What it caused
          </Link>
        </div>
      </Section>
      {job.error && (
        <Section title="Error">
          <p role="alert" className="break-words text-bad">
            {job.error.message} <span className="font-mono text-xs">{job.error.code}</span>
          </p>
        </Section>
      )}
      <Section title="Result">
        {job.result === null ? <p className="text-soft">None yet.</p> : <Json label="Result" value={job.result} />}
      </Section>
      <Section title="Input">
        <Json label="Input" value={job.input} />
      </Section>
      <ConfirmDialog open={isCancelling} onClose={() => setCancelling(false)} deed="Cancel job" onConfirm={cancel}>
        What it is doing is stopped. What it has done stays.
      </ConfirmDialog>
    </Page>
  );
}
