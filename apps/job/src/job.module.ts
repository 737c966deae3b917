import { Module } from '@nestjs/common';
import { JobActivityCalls, JobCauseCalls, JobPlatformEvents } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { jobCauses } from './db/job-causes';
import { JobActivity } from './activity/job-activity.service';
import {
  activityController,
  causesController,
  Egress,
  Metrics,
  PayerCache,
  platformEventsController,
  ServiceModule,
  WakeOnTurnEnd,
  Retention,
  SpaceClocks,
  SpaceConcurrencyLimits,
  SpacePolicyCache,
  SpacePoliciesController,
  Workers,
} from '@switchyard/service';
import { CallbackSender } from './callbacks/callback-sender';
import { CallbacksRepository } from './db/callbacks.repository';
import { LeasedJobsRepository } from './db/leased-jobs.repository';
import { JobClaimsRepository } from './db/job-claims.repository';
import { JobRetentionRepository } from './db/job-retention.repository';
import { JobContentsRepository } from './db/job-contents.repository';
import { JobsRepository } from './db/jobs.repository';
import { tables } from './db/tables';
import { JobConfig } from './job.config';
import { JobSubmissionChecks } from './jobs/job-submission-checks';
import { JobEndEffects } from './callbacks/job-end-effects';
import { JobReading } from './records/job-reading.service';
import { JobsController } from './jobs/jobs.controller';
import { JobsService } from './jobs/jobs.service';
import { JobRetention } from './retention/job-retention';
import { JobAttempt } from './running/job-attempt';
import { JobClaimer } from './running/job-claimer';
import { JobIdentity } from './running/job-identity';
import { JobRunner } from './running/job-runner';
import { TurnClient } from './running/turn-client';

@Module({
  imports: [ServiceModule.forService({ name: 'job', config: JobConfig, database: true, tables })],
  controllers: [
    causesController(JobCauseCalls, jobCauses),
    activityController(JobActivityCalls, JobActivity),
    platformEventsController(JobPlatformEvents),
    JobsController,
    SpacePoliciesController,
  ],
  providers: [
    JobActivity,
    {
      provide: Egress,
      useFactory: (config: JobConfig, metrics: Metrics, payerCache: PayerCache) =>
        Egress.configured(config, metrics, payerCache),
      inject: [JobConfig, Metrics, PayerCache],
    },
    {
      provide: SpaceConcurrencyLimits,
      useFactory: (
        policies: SpacePolicyCache,
        { JOB_SPACE_CONCURRENCY: fallback, JOB_CONCURRENCY_MAX: ceiling }: JobConfig,
      ) => new SpaceConcurrencyLimits(policies, { setting: 'jobConcurrency', fallback, ceiling }),
      inject: [SpacePolicyCache, JobConfig],
    },
    {
      provide: SpaceClocks,
      useFactory: (
        database: Database,
        policies: SpacePolicyCache,
        workers: Workers,
        retention: Retention,
        claims: JobClaimsRepository,
      ) => new SpaceClocks({ database, policies, workers, retention }, claims),
      inject: [Database, SpacePolicyCache, Workers, Retention, JobClaimsRepository],
    },
    {
      provide: WakeOnTurnEnd,
      useFactory: (database: Database, claims: JobClaimsRepository) =>
        new WakeOnTurnEnd((turns) => database.systemWrite('make jobs due', [claims.makeDue(turns)])),
      inject: [Database, JobClaimsRepository],
    },
    JobsRepository,
    JobContentsRepository,
    LeasedJobsRepository,
    JobClaimsRepository,
    CallbacksRepository,
    JobRetentionRepository,
    JobRetention,
    JobsService,
    JobReading,
    JobSubmissionChecks,
    JobEndEffects,
    CallbackSender,
    JobRunner,
    JobClaimer,
    JobAttempt,
    JobIdentity,
    TurnClient,
  ],
})
export class JobModule {}
