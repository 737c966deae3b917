import { Injectable } from '@nestjs/common';
import type { WaitStepInput } from '@switchyard/contracts';
import { allRead, type ComputedStep } from './step-executor';

/** The time to wait for is stored in the execution's row; no worker is busy meanwhile. */
@Injectable()
export class WaitStep implements ComputedStep {
  readonly isOutside = false;
  readonly copies = 1;

  run(input: Record<string, unknown>, hasWaited: boolean): { output: unknown } | { waitMs: number } {
    const { seconds, ...rest } = input as unknown as WaitStepInput;
    allRead(rest);
    return hasWaited || seconds === 0 ? { output: { seconds } } : { waitMs: seconds * 1000 };
  }
}
