import type { ReactNode } from 'react';
import type { ImportJob } from '@switchyard/client';
import { StatusBadge } from '../../ui/badge';
import { number } from '../../ui/format';
import { Meter } from '../../ui/meter';

const OVER: ReadonlySet<ImportJob['phase']> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED']);

export const isOver = ({ phase }: ImportJob): boolean => OVER.has(phase);

/** A large import, written in the background. */
export const ImportProgress = ({ job }: { job: ImportJob }): ReactNode => (
  <div className="grid gap-3">
    <div className="flex items-center gap-3">
      <StatusBadge status={job.phase} />
      <span className="text-soft">{number(job.records)} records</span>
    </div>
    <Meter isGoal label="Progress in percent" used={Math.round(job.progress)} cap={100} />
    {job.error && (
      <p role="alert" className="wrap-anywhere text-bad">
        {job.error.message} <span className="font-mono text-xs">{job.error.code}</span>
      </p>
    )}
  </div>
);
