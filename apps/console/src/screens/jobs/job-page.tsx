import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Job, NewJob, SwitchyardClient } from '@switchyard/client';
import { hasEnded } from '../../api/status';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useRefresh } from '../../api/use-refresh';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Facts } from '../../ui/facts';
import { between, duration, number } from '../../ui/format';
import { Json } from '../../ui/json';
import { Markdown } from '../../ui/markdown';
import { Meter } from '../../ui/meter';
import { Refusal } from '../../ui/note';
import { Page, Section } from '../../ui/page';
import { RecordOf } from '../../ui/record';
import { Time } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { CallbackOfJob } from './job-callback';
import { useAgentNames } from './use-agent-names';

const POLL_MS = 2_000;

const crumbs = [{ label: 'Jobs', to: '/jobs' }];

export function JobPage(): ReactNode {
  const { jobId = '' }: { jobId?: string } = useParams({ strict: false });
  const client = useClient();
  const query = useQuery({
    queryKey: ['jobs', jobId],
    queryFn: () => client.jobs.get(jobId),
    // Progress is no change of state: the stream of activity does not tell of it.
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.phase) ? false : POLL_MS),
  });
  useRefresh(['jobs', jobId], ({ id }) => id === jobId);
  return (
    <RecordOf query={query} noun="job" crumbs={crumbs}>
      {(job) => <OneJob key={job.id} job={job} />}
    </RecordOf>
  );
}

function OneJob({ job }: { job: Job }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const { nameOf } = useAgentNames();
  const [isCancelling, setCancelling] = useState(false);
  const keys = useIdempotencyKey();
  const answer = job.result?.['answer'];
  const retry = useAction(
    async () => {
      const request = await requestOf(client, job);
      const again = await client.jobs.submit({ ...request, idempotencyKey: keys.keyFor(request) });
      await navigate({ to: '/jobs/$jobId', params: { jobId: again.id } });
    },
    { changes: [['jobs']], done: 'Submitted again.' },
  );
  const cancel = async (): Promise<void> => {
    await client.jobs.cancel(job.id);
    await queries.invalidateQueries({ queryKey: ['jobs'] });
  };
  return (
    <Page
      title={`Job of ${nameOf(job.agentId)}`}
      crumbs={crumbs}
      aside={<StatusBadge status={job.phase} />}
      actions={
        mayWrite && (
          <>
            {!hasEnded(job.phase) && (
              <Button look="danger" onClick={() => setCancelling(true)}>
                Cancel
              </Button>
            )}
            {hasEnded(job.phase) && job.phase !== 'SUCCEEDED' && (
              <Button isBusy={retry.isBusy} onClick={() => void retry.run()}>
                Retry
              </Button>
            )}
          </>
        )
      }
    >
      <Refusal error={retry.error} className="mb-4" />
      <Section title="Run">
        <div className="grid gap-4">
          <Meter
            isGoal
            label="Progress in percent"
            used={job.progress}
            cap={100}
            note={job.progressMessage ?? undefined}
          />
          <Facts
            of={[
              ['Submitted', <Time key="at" at={job.createdAt} />],
              ['Took', between(job.startedAt, job.finishedAt)],
              ['Attempt', `${job.attempt} of ${job.maxAttempts}`],
              ['Priority', number(job.priority)],
              ['Timeout', duration(job.timeoutSeconds * 1000)],
            ]}
          />
          <Link to={`/causes/job/${job.id}`} className="w-fit text-accent hover:underline">
            Causes
          </Link>
        </div>
      </Section>
      {job.callbackUrl !== null && <CallbackOfJob job={job} />}
      {job.error && (
        <Section title="Error">
          <Refusal error={job.error} />
        </Section>
      )}
      {typeof answer === 'string' && answer.trim() !== '' && (
        <Section title="Answer">
          <Markdown text={answer} />
        </Section>
      )}
      <Section title="Result">
        {job.result === null ? (
          <p className="text-soft">{hasEnded(job.phase) ? 'No result.' : 'No result yet.'}</p>
        ) : (
          <Json label="Result" value={job.result} />
        )}
      </Section>
      <Section title="Input">
        <Json label="Input" value={job.input} />
      </Section>
      <ConfirmDialog open={isCancelling} onClose={() => setCancelling(false)} action="Cancel job" onConfirm={cancel}>
        Stops the job. Work already done is kept.
      </ConfirmDialog>
    </Page>
  );
}

/** The job's request. Long fields are fetched separately. */
async function requestOf(client: SwitchyardClient, job: Job): Promise<NewJob> {
  const whole = async (field: 'input' | 'metadata'): Promise<unknown> =>
    'truncated' in job[field] && 'content' in job[field]
      ? new Response(await client.jobs.content(job.id, field)).json()
      : job[field];
  return {
    type: job.type,
    agentId: job.agentId,
    input: (await whole('input')) as NewJob['input'],
    metadata: (await whole('metadata')) as Record<string, unknown>,
    priority: job.priority,
    maxAttempts: job.maxAttempts,
    timeoutSeconds: job.timeoutSeconds,
    ...(job.callbackUrl === null ? {} : { callbackUrl: job.callbackUrl }),
  };
}
