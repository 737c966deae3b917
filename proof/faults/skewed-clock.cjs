'use strict';
// Loaded before a service: its whole process, libraries included, believes in another time.
const offsetMs = Number(process.env.SWITCHYARD_TEST_CLOCK_MS);
const Real = Date;
global.Date = class extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + offsetMs);
    else super(...args);
  }

  static now() {
    return Real.now() + offsetMs;
  }
};
