import { Controller } from '@nestjs/common';
import {
  type Ctx,
  type Items,
  type JobById,
  type JobCallbackView,
  JobCalls,
  type JobContent,
  JobSignals,
  JobStreams,
  type JobSummary,
  type JobView,
  type ListJobs,
  type Page,
  type QueuedOfSpace,
  type StopJob,
  SessionSignals,
  type SubmitJob,
  type TurnSettled,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { WakeOnTurnEnd } from '@switchyard/service';
import { JobReading } from '../records/job-reading.service';
import { JobClaimer } from '../running/job-claimer';
import { JobsService } from './jobs.service';

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly records: JobReading,
    private readonly settled: WakeOnTurnEnd,
    private readonly claimer: JobClaimer,
  ) {}

  @Handles(JobCalls.topQueued)
  async topQueued(): Promise<Items<QueuedOfSpace>> {
    return { items: await this.claimer.topQueued() };
  }

  @Handles(JobCalls.submit)
  submit(data: SubmitJob, ctx: Ctx): Promise<JobView> {
    return this.jobs.submit(ctx, data);
  }

  @Handles(JobCalls.list)
  list(data: ListJobs, ctx: Ctx): Promise<Page<JobSummary>> {
    return this.jobs.list(ctx, data);
  }

  @Handles(JobCalls.get)
  get(data: JobById, ctx: Ctx): Promise<JobView> {
    return this.jobs.get(ctx, data.jobId);
  }

  @Handles(JobCalls.getCallback)
  callback(data: JobById, ctx: Ctx): Promise<JobCallbackView> {
    return this.records.callback(ctx, data.jobId);
  }

  @Handles(JobStreams.content)
  content(data: JobContent, ctx: Ctx): AsyncIterable<Uint8Array> {
    return this.records.content(ctx, data);
  }

  @Handles(JobCalls.cancel)
  cancel(data: JobById, ctx: Ctx): Promise<JobView> {
    return this.jobs.cancel(ctx, data.jobId);
  }

  @Handles(SessionSignals.turnSettled)
  onTurnSettled(data: TurnSettled): void {
    this.settled.settled(data);
  }

  @Handles(JobSignals.stop)
  onStop(data: StopJob): void {
    this.jobs.onStop(data.jobId);
  }
}
