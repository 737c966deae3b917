import { Module } from '@nestjs/common';
import { Bus } from '@switchyard/messaging';
import { Egress, EgressPolicy, ServiceModule, SpaceLimits, SpaceLimitsController } from '@switchyard/service';
import { ClaimsRepository } from './db/claims.repository';
import { ExecutionsRepository } from './db/executions.repository';
import { HeldExecutionRepository } from './db/held-execution.repository';
import { OldExecutionsRepository } from './db/old-executions.repository';
import { StepsRepository } from './db/steps.repository';
import { TasksRepository } from './db/tasks.repository';
import { ExecutionStarter } from './executions/execution-starter';
import { ExecutionsController } from './executions/executions.controller';
import { ExecutionsService } from './executions/executions.service';
import { TriggersService } from './executions/triggers.service';
import { ExecutionRetention } from './retention/execution-retention';
import { ExecutionClaimer } from './running/execution-claimer';
import { ExecutionEndings } from './running/execution-endings';
import { ExecutionRunner } from './running/execution-runner';
import { RunIdentity } from './running/run-identity';
import { StepRunner } from './running/step-runner';
import { Scheduler } from './schedules/scheduler';
import { AgentStep } from './steps/agent.step';
import { DatasetStep } from './steps/dataset.step';
import { EmitStep } from './steps/emit.step';
import { HttpStep } from './steps/http.step';
import { StepEffects } from './steps/step-effects';
import { TaskConfig } from './task.config';
import { DefaultTasksService } from './tasks/default-tasks.service';
import { TaskReferences } from './tasks/task-references';
import { TasksController } from './tasks/tasks.controller';
import { TasksService } from './tasks/tasks.service';

@Module({
  imports: [ServiceModule.forService({ name: 'task', config: TaskConfig, database: true })],
  controllers: [TasksController, ExecutionsController, SpaceLimitsController],
  providers: [
    {
      provide: Egress,
      useFactory: (config: TaskConfig) => new Egress(EgressPolicy.fromText(config.SWITCHYARD_ALLOW_PRIVATE_EGRESS)),
      inject: [TaskConfig],
    },
    {
      provide: SpaceLimits,
      useFactory: (bus: Bus, { TASK_SPACE_CONCURRENCY: fallback }: TaskConfig) =>
        new SpaceLimits(bus, { service: 'task', setting: 'taskConcurrency', fallback }),
      inject: [Bus, TaskConfig],
    },
    TasksRepository,
    ExecutionsRepository,
    StepsRepository,
    OldExecutionsRepository,
    ExecutionRetention,
    HeldExecutionRepository,
    ClaimsRepository,
    TasksService,
    TaskReferences,
    DefaultTasksService,
    ExecutionsService,
    ExecutionStarter,
    TriggersService,
    ExecutionEndings,
    ExecutionRunner,
    ExecutionClaimer,
    StepRunner,
    RunIdentity,
    Scheduler,
    AgentStep,
    HttpStep,
    DatasetStep,
    EmitStep,
    StepEffects,
  ],
})
export class TaskModule {}
