import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { JobSummary } from '@switchyard/client';
import { Briefcase, Plus } from 'lucide-react';
import { withAny } from '../../api/status';
import { useFilters } from '../../api/use-filters';
import { isBlank, useList } from '../../api/use-list';
import { useRefresh } from '../../api/use-refresh';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Chip, ChipSelect, Chips } from '../../ui/chips';
import { Dialog } from '../../ui/dialog';
import { between, percent, shortId } from '../../ui/format';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { SubmitJob } from './submit-job';
import { PHASES, jobsSearch } from './search-params';
import { useAgentNames } from './use-agent-names';

export function JobsPage(): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const { nameOf } = useAgentNames();
  const [{ phase }, setFilters] = useFilters(jobsSearch);
  const [isNew, setNew] = useState(false);
  const list = useList(['jobs', 'list', phase], (cursor) =>
    client.jobs.list({ limit: 50, ...(phase ? { phase } : {}), ...(cursor ? { cursor } : {}) }),
  );
  useRefresh(['jobs', 'list'], ({ kind }) => kind === 'job');
  const isFirst = !phase && isBlank(list);
  const submit = mayWrite && (
    <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      Submit job
    </Button>
  );
  const columns: Column<JobSummary>[] = [
    {
      name: 'Job',
      cell: ({ id, agentId }) => (
        <Link to="/jobs/$jobId" params={{ jobId: id }} className="font-medium hover:underline">
          {nameOf(agentId)} <span className="font-mono text-xs text-faint">{shortId(id)}</span>
        </Link>
      ),
    },
    { name: 'Phase', saysItself: true, width: '9rem', cell: (job) => <StatusBadge status={job.phase} /> },
    {
      name: 'Progress',
      cell: ({ progress, progressMessage }) => (
        <span className="text-soft tabular-nums">
          {percent(progress / 100)} {progressMessage}
        </span>
      ),
    },
    { name: 'Took', width: '8rem', cell: ({ startedAt, finishedAt }) => between(startedAt, finishedAt) ?? '–' },
    { name: 'Submitted', width: '8rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <Page title="Jobs" description="Background agent runs." actions={!isFirst && submit}>
      <div className="mb-3">
        <Chips label="Filters">
          <Chip isOn={phase === 'FAILED'} onChange={(isOn) => setFilters({ phase: isOn ? 'FAILED' : undefined })}>
            Failed
          </Chip>
          <Chip
            isOn={phase === 'WAITING_INPUT'}
            onChange={(isOn) => setFilters({ phase: isOn ? 'WAITING_INPUT' : undefined })}
          >
            Waiting for a person
          </Chip>
          <ChipSelect
            label="Phase"
            value={phase ?? ''}
            onChange={(next) => setFilters({ phase: next })}
            options={withAny('Any phase', PHASES)}
          />
        </Chips>
      </div>
      <Table
        name="Jobs"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title={phase ? 'No results for this phase' : 'No jobs yet'}
            icon={<Briefcase className="size-5" aria-hidden="true" />}
            action={
              phase ? (
                <Button onClick={() => setFilters({ phase: undefined })}>Show all jobs</Button>
              ) : (
                isFirst && submit
              )
            }
          >
            {phase
              ? 'There are jobs in other phases, or none yet.'
              : 'A job calls an agent in the background, tries again where that helps, and can call a webhook when it ends.'}
          </Empty>
        }
      />
      <Dialog open={isNew} onClose={() => setNew(false)} title="Submit job">
        <SubmitJob
          onClose={() => setNew(false)}
          onMade={(job) => void navigate({ to: '/jobs/$jobId', params: { jobId: job.id } })}
        />
      </Dialog>
    </Page>
  );
}
