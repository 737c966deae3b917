import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Job, JobCallback } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Badge, type Tone } from '../../ui/badge';
import { Facts } from '../../ui/facts';
import { number } from '../../ui/format';
import { Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';

const POLL_MS = 5_000;

const STATES: Record<JobCallback['status'], { tone: Tone; words: string }> = {
  WAITING: { tone: 'none', words: 'Sent when the job ends' },
  PENDING: { tone: 'busy', words: 'Being sent' },
  DELIVERED: { tone: 'good', words: 'Delivered' },
  GIVEN_UP: { tone: 'bad', words: 'Given up' },
};

/** Requests to the callback and their responses. */
export function CallbackOfJob({ job }: { job: Job }): ReactNode {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['jobs', job.id, 'callback', job.phase],
    queryFn: () => client.jobs.callback(job.id),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? POLL_MS : false),
  });
  return (
    <Section title="Callback">
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading label="Loading the callback" lines={2} />}
      {data && (
        <Facts
          of={[
            [
              'State',
              <Badge key="state" tone={STATES[data.status].tone}>
                {STATES[data.status].words}
              </Badge>,
            ],
            ['Address', data.url],
            ['Attempts', number(data.attempts)],
            ['Last answer', data.lastResult],
            ['Next attempt', data.nextAttemptAt && <Time key="next" at={data.nextAttemptAt} />],
            ['Finished', data.finishedAt && <Time key="end" at={data.finishedAt} />],
          ]}
        />
      )}
    </Section>
  );
}
