/** Frames that a stream's handler yields together, which saves a step for each. */
export class FrameBatch<F> {
  constructor(readonly frames: readonly F[]) {}
}
