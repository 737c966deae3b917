import { Injectable } from '@nestjs/common';
import type { ComputedStep } from './step-executor';

/** Gives its input, in which the templates are filled. */
@Injectable()
export class TransformStep implements ComputedStep {
  readonly isOutside = false;
  readonly copies = 2;

  run(input: Record<string, unknown>): { output: unknown } {
    return { output: input };
  }
}
