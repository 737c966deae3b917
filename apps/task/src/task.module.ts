import { Module } from '@nestjs/common';
import { TaskActivityCalls, TaskCauseCalls, TaskPlatformEvents } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { executionCauses } from './db/execution-causes';
import { ExecutionActivity } from './activity/execution-activity.service';
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
  oversizedNotices,
} from '@switchyard/service';
import { ScheduleChanges } from './cron/schedule-change-signal';
import { ExecutionClaimsRepository } from './db/execution-claims.repository';
import { ExecutionContentsRepository } from './db/execution-contents.repository';
import { ExecutionSearchRepository } from './db/execution-search.repository';
import { ExecutionsRepository } from './db/executions.repository';
import { LeasedExecutionsRepository } from './db/leased-executions.repository';
import { TaskRetentionRepository } from './db/task-retention.repository';
import { StepsRepository } from './db/steps.repository';
import { tables } from './db/tables';
import { TaskUsageRepository } from './db/task-usage.repository';
import { TasksRepository } from './db/tasks.repository';
import { TurnsToStopRepository } from './db/turns-to-stop.repository';
import { ExecutionListsService } from './executions/execution-lists.service';
import { ExecutionReading } from './executions/execution-reading.service';
import { ExecutionStarter } from './executions/execution-starter';
import { ExecutionsController } from './executions/executions.controller';
import { ExecutionsService } from './executions/executions.service';
import { RerunService } from './executions/rerun.service';
import { TryStepService } from './executions/try-step.service';
import { TriggeredExecutions } from './executions/triggered-executions.service';
import { ExecutionRetention } from './retention/execution-retention';
import { ExecutionClaimer } from './running/execution-claimer';
import { ExecutionEndWriter } from './running/execution-end-writer';
import { ExecutionRunner } from './running/execution-runner';
import { MemberChangesController } from './running/member-changes.controller';
import { RunIdentity } from './running/run-identity';
import { StepRunner } from './running/step-runner';
import { ExecutionCancellation } from './running/execution-cancellation';
import { TurnCancellation } from './running/turn-cancellation';
import { Scheduler } from './schedules/scheduler';
import { LargeResponseSlots } from './steps/large-response-slots';
import { stepExecutorProviders } from './steps/step-executors';
import { StepSecrets } from './steps/step-secrets';
import { TaskConfig } from './task.config';
import { DefaultTasksService } from './tasks/default-tasks.service';
import { TaskReferences } from './tasks/task-references';
import { TaskUsageService } from './tasks/task-usage.service';
import { TasksController } from './tasks/tasks.controller';
import { TasksService } from './tasks/tasks.service';

@Module({
  imports: [ServiceModule.forService({ name: 'task', config: TaskConfig, database: true, tables })],
  controllers: [
    causesController(TaskCauseCalls, executionCauses),
    activityController(TaskActivityCalls, ExecutionActivity),
    platformEventsController(TaskPlatformEvents),
    TasksController,
    ExecutionsController,
    SpacePoliciesController,
    MemberChangesController,
  ],
  providers: [
    oversizedNotices('task', { table: 'tasks', name: 'task' }),
    ExecutionActivity,
    {
      provide: Egress,
      useFactory: (config: TaskConfig, metrics: Metrics, payerCache: PayerCache) =>
        Egress.configured(config, metrics, payerCache),
      inject: [TaskConfig, Metrics, PayerCache],
    },
    {
      provide: SpaceConcurrencyLimits,
      useFactory: (
        policies: SpacePolicyCache,
        { TASK_SPACE_CONCURRENCY: fallback, TASK_CONCURRENCY_MAX: ceiling }: TaskConfig,
      ) => new SpaceConcurrencyLimits(policies, { setting: 'taskConcurrency', fallback, ceiling }),
      inject: [SpacePolicyCache, TaskConfig],
    },
    {
      provide: SpaceClocks,
      useFactory: (
        database: Database,
        policies: SpacePolicyCache,
        workers: Workers,
        retention: Retention,
        claims: ExecutionClaimsRepository,
      ) => new SpaceClocks({ database, policies, workers, retention }, claims),
      inject: [Database, SpacePolicyCache, Workers, Retention, ExecutionClaimsRepository],
    },
    {
      provide: WakeOnTurnEnd,
      useFactory: (database: Database, claims: ExecutionClaimsRepository) =>
        new WakeOnTurnEnd((turns) => database.systemWrite('make executions due', [claims.makeDue(turns)])),
      inject: [Database, ExecutionClaimsRepository],
    },
    TurnsToStopRepository,
    TurnCancellation,
    ExecutionCancellation,
    TasksRepository,
    ExecutionsRepository,
    ExecutionSearchRepository,
    ExecutionContentsRepository,
    StepsRepository,
    TaskRetentionRepository,
    ExecutionRetention,
    LeasedExecutionsRepository,
    ExecutionClaimsRepository,
    TasksService,
    TaskUsageRepository,
    TaskUsageService,
    TaskReferences,
    DefaultTasksService,
    ExecutionsService,
    ExecutionReading,
    ExecutionListsService,
    RerunService,
    TryStepService,
    ExecutionStarter,
    TriggeredExecutions,
    ExecutionEndWriter,
    ExecutionRunner,
    ExecutionClaimer,
    StepRunner,
    RunIdentity,
    Scheduler,
    ScheduleChanges,
    LargeResponseSlots,
    StepSecrets,
    ...stepExecutorProviders,
  ],
})
export class TaskModule {}
