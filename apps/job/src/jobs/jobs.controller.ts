import { Controller } from '@nestjs/common';
import {
  type Ctx,
  type JobById,
  JobCalls,
  JobSignals,
  type JobView,
  type ListJobs,
  type Page,
  type StopJob,
  type SubmitJob,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { JobsService } from './jobs.service';

@Controller()
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Handles(JobCalls.submit)
  submit(data: SubmitJob, ctx: Ctx): Promise<JobView> {
    return this.jobs.submit(ctx, data);
  }

  @Handles(JobCalls.list)
  list(data: ListJobs, ctx: Ctx): Promise<Page<JobView>> {
    return this.jobs.list(ctx, data);
  }

  @Handles(JobCalls.get)
  get(data: JobById, ctx: Ctx): Promise<JobView> {
    return this.jobs.get(ctx, data.jobId);
  }

  @Handles(JobCalls.cancel)
  cancel(data: JobById, ctx: Ctx): Promise<JobView> {
    return this.jobs.cancel(ctx, data.jobId);
  }

  @Handles(JobSignals.stop)
  onStop(data: StopJob): void {
    this.jobs.onStop(data.jobId);
  }
}
