import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { StepType } from '@switchyard/contracts';
import { AgentStep } from './agent.step';
import { DatasetStep } from './dataset.step';
import { EmitStep } from './emit.step';
import { HttpStep } from './http.step';
import type { StepExecutor } from './step-executor';
import { TransformStep } from './transform.step';
import { WaitStep } from './wait.step';

const EXECUTORS: Record<StepType, Type<StepExecutor>> = {
  agent: AgentStep,
  http: HttpStep,
  dataset: DatasetStep,
  emit: EmitStep,
  transform: TransformStep,
  wait: WaitStep,
};

/** The executor of each type of step. */
@Injectable()
export class StepExecutors implements OnModuleInit {
  private readonly byType = new Map<string, StepExecutor>();

  constructor(private readonly modules: ModuleRef) {}

  onModuleInit(): void {
    for (const [type, executor] of Object.entries(EXECUTORS)) this.byType.set(type, this.modules.get(executor));
  }

  /** None: a task of a later version, which this process must leave to others. */
  find(type: string): StepExecutor | undefined {
    return this.byType.get(type);
  }
}

export const stepExecutorProviders: Type[] = [...Object.values(EXECUTORS), StepExecutors];
