import { Module } from '@nestjs/common';
import { TaskActivityCalls, TaskCauseCalls } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { executionCauses } from './db/execution-causes';
import { ExecutionActivity } from './activity/execution-activity.service';
import {
  activityController,
  causesController,
  Egress,
  Metrics,
  Payers,
  ServiceModule,
  SettledTurns,
  Retention,
  SpaceClocks,
  SpaceLimits,
  SpacePolicies,
  SpacePoliciesController,
  Workers,
  oversizedNotices,
} from '@switchyard/service';
import { ScheduleChanges } from './cron/schedule-changes';
import { ClaimsRepository } from './db/claims.repository';
import { ExecutionContentsRepository } from './db/execution-contents.repository';
import { ExecutionSearchRepository } from './db/execution-search.repository';
import { ExecutionsRepository } from './db/executions.repository';
import { LeasedExecutionsRepository } from './db/leased-executions.repository';
import { TaskRetentionRepository } from './db/task-retention.repository';
import { StepsRepository } from './db/steps.repository';
import { tables } from './db/tables';
import { TasksRepository } from './db/tasks.repository';
import { TurnsToStopRepository } from './db/turns-to-stop.repository';
import { ExecutionListsService } from './executions/execution-lists.service';
import { ExecutionRecords } from './executions/execution-records.service';
import { ExecutionStarter } from './executions/execution-starter';
import { ExecutionsController } from './executions/executions.controller';
import { ExecutionsService } from './executions/executions.service';
import { RerunService } from './executions/rerun.service';
import { TriggersService } from './executions/triggers.service';
import { ExecutionRetention } from './retention/execution-retention';
import { ExecutionClaimer } from './running/execution-claimer';
import { ExecutionEndings } from './running/execution-endings';
import { ExecutionRunner } from './running/execution-runner';
import { OwnersController } from './running/owners.controller';
import { RunIdentity } from './running/run-identity';
import { StepRunner } from './running/step-runner';
import { ExecutionStops } from './running/execution-stops';
import { TurnStops } from './running/turn-stops';
import { Scheduler } from './schedules/scheduler';
import { AnswerSlots } from './steps/answer-slots';
import { stepExecutorProviders } from './steps/step-executors';
import { StepSecrets } from './steps/step-secrets';
import { TaskConfig } from './task.config';
import { DefaultTasksService } from './tasks/default-tasks.service';
import { TaskReferences } from './tasks/task-references';
import { TasksController } from './tasks/tasks.controller';
import { TasksService } from './tasks/tasks.service';

@Module({
  imports: [ServiceModule.forService({ name: 'task', config: TaskConfig, database: true, tables })],
  controllers: [
    causesController(TaskCauseCalls, executionCauses),
    activityController(TaskActivityCalls, ExecutionActivity),
    TasksController,
    ExecutionsController,
    SpacePoliciesController,
    OwnersController,
  ],
  providers: [
    oversizedNotices('task', { table: 'tasks', name: 'task' }),
    ExecutionActivity,
    {
      provide: Egress,
      useFactory: (config: TaskConfig, metrics: Metrics, payers: Payers) => Egress.configured(config, metrics, payers),
      inject: [TaskConfig, Metrics, Payers],
    },
    {
      provide: SpaceLimits,
      useFactory: (
        policies: SpacePolicies,
        { TASK_SPACE_CONCURRENCY: fallback, TASK_CONCURRENCY_MAX: ceiling }: TaskConfig,
      ) => new SpaceLimits(policies, { setting: 'taskConcurrency', fallback, ceiling }),
      inject: [SpacePolicies, TaskConfig],
    },
    {
      provide: SpaceClocks,
      useFactory: (
        database: Database,
        policies: SpacePolicies,
        workers: Workers,
        retention: Retention,
        claims: ClaimsRepository,
      ) => new SpaceClocks({ database, policies, workers, retention }, claims),
      inject: [Database, SpacePolicies, Workers, Retention, ClaimsRepository],
    },
    {
      provide: SettledTurns,
      useFactory: (database: Database, claims: ClaimsRepository) =>
        new SettledTurns((turns) => database.systemWrite('make executions due', [claims.makeDue(turns)])),
      inject: [Database, ClaimsRepository],
    },
    TurnsToStopRepository,
    TurnStops,
    ExecutionStops,
    TasksRepository,
    ExecutionsRepository,
    ExecutionSearchRepository,
    ExecutionContentsRepository,
    StepsRepository,
    TaskRetentionRepository,
    ExecutionRetention,
    LeasedExecutionsRepository,
    ClaimsRepository,
    TasksService,
    TaskReferences,
    DefaultTasksService,
    ExecutionsService,
    ExecutionRecords,
    ExecutionListsService,
    RerunService,
    ExecutionStarter,
    TriggersService,
    ExecutionEndings,
    ExecutionRunner,
    ExecutionClaimer,
    StepRunner,
    RunIdentity,
    Scheduler,
    ScheduleChanges,
    AnswerSlots,
    StepSecrets,
    ...stepExecutorProviders,
  ],
})
export class TaskModule {}
