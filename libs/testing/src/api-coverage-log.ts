import { appendFileSync } from 'node:fs';

/** One answer that a test got over HTTP. */
export interface LoggedCall {
  method: string;
  path: string;
  status: number;
  file: string;
  test: string;
}

/**
 * Remembers which test saw which answer, where the run asks for it: tools/api-coverage/api-coverage.md is made of
 * these.
 */
export function logCall(method: string, path: string, status: number): void {
  const log = process.env.SWITCHYARD_TEST_CALLS;
  // The fault runs and the benchmarks speak to the platform as well, without jest around them.
  if (!log) return;
  const { currentTestName, testPath } = expect.getState();
  if (!currentTestName || !testPath) return;
  const call: LoggedCall = { method, path: path.split('?')[0] ?? '', status, file: testPath, test: currentTestName };
  appendFileSync(log, `${JSON.stringify(call)}\n`);
}
