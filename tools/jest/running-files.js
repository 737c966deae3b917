const path = require('node:path');

const EVERY_MS = 60_000;
/** The longest file takes three minutes on a machine that is not busy. */
const LONG_MS = 5 * 60_000;

/** Says which files have been running for long: a run that is cut off from outside is to tell where it was. */
module.exports = class RunningFiles {
  constructor() {
    this.since = new Map();
  }

  onRunStart() {
    this.timer = setInterval(() => this.tell(), EVERY_MS);
    this.timer.unref();
  }

  onTestFileStart({ path: file }) {
    this.since.set(file, Date.now());
  }

  onTestFileResult({ path: file }) {
    this.since.delete(file);
  }

  onRunComplete() {
    clearInterval(this.timer);
  }

  tell() {
    for (const [file, since] of this.since) {
      const ran = Date.now() - since;
      if (ran > LONG_MS)
        console.error(`... ${path.relative(process.cwd(), file)} has been running for ${Math.round(ran / 1000)} s`);
    }
  }
};
