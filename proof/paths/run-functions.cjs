'use strict';
// Loaded before a service. SIGUSR2 begins to count the functions that run, and the next one writes the source files in
// which one ran to `$SWITCHYARD_TEST_PATHS/<pid>.json`. The body of a module does not count: it ran when the module loaded.
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const path = require('node:path');
const { isMainThread } = require('node:worker_threads');

const OURS = /\/dist\/((?:apps|libs)\/[^/]+\/src\/.*)\.js$/;

function count(folder) {
  let session = null;
  process.on('SIGUSR2', () => {
    if (session === null) {
      session = new Session();
      session.connect();
      session.post('Profiler.enable');
      session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
      return;
    }
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      const files = result.flatMap(({ url, functions }) => {
        const file = OURS.exec(url)?.[1];
        const ran = functions.some(({ ranges: [range] }) => range.count > 0 && range.startOffset > 0);
        return file && ran ? [`${file}.ts`] : [];
      });
      writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify([...new Set(files)].sort()));
    });
    session.disconnect();
    session = null;
  });
}

// Only services: the launcher and its tools have no folder of their own below dist/apps.
if (isMainThread && /\/dist\/apps\/\w[\w-]*\/src\/main\.js$/.test(process.argv[1] ?? ''))
  count(process.env.SWITCHYARD_TEST_PATHS);
