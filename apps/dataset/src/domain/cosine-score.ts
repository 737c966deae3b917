const STEPS = 1_000_000;

/** A cosine as it is compared and shown. Floats would make 0.99999995 of a text's likeness to itself. */
export const cosineScore = (cosine: number): number =>
  Math.min(1, Math.max(-1, Math.round(cosine * STEPS) / STEPS)) + 0;
