/** Frames that a stream's handler has at one time: handing them over together costs one step instead of one for each. */
export class FrameBatch<F> {
  constructor(readonly frames: readonly F[]) {}
}
