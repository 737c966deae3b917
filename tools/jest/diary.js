const { appendFileSync } = require('node:fs');
const path = require('node:path');

// Beside the logs of the services, so that a failure's lines are found by their time.
beforeEach(() => {
  const state = process.env.SWITCHYARD_TEST_STATE;
  const { testPath, currentTestName } = expect.getState();
  const line = `${new Date().toISOString()} ${path.relative(process.cwd(), testPath)} ${currentTestName}\n`;
  if (state) appendFileSync(path.join(path.dirname(state), 'logs/tests.log'), line);
});
