import { Injectable } from '@nestjs/common';
import type { StepType } from '@switchyard/contracts';
import { AgentStep } from './agent.step';
import { DatasetStep } from './dataset.step';
import type { Effect } from './effect';
import { EmitStep } from './emit.step';
import { HttpStep } from './http.step';

/** The steps that do something outside of the execution. */
export type OutsideStep = Exclude<StepType, 'transform' | 'wait'>;

@Injectable()
export class StepEffects {
  constructor(
    private readonly agent: AgentStep,
    private readonly http: HttpStep,
    private readonly dataset: DatasetStep,
    private readonly emit: EmitStep,
  ) {}

  run(type: OutsideStep, effect: Effect): Promise<unknown> {
    switch (type) {
      case 'agent':
        return this.agent.run(effect);
      case 'http':
        return this.http.run(effect);
      case 'dataset':
        return this.dataset.run(effect);
      case 'emit':
        return this.emit.run(effect);
    }
  }
}
