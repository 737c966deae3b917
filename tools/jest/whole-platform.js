const { readFileSync } = require('node:fs');

const isReady = (url) =>
  fetch(`${url}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** The file before may have ended while something that it had killed was coming up again. */
async function untilWhole() {
  // What stays away for longer is for the tests to tell.
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const { internalUrls, pids } = JSON.parse(readFileSync(process.env.SWITCHYARD_TEST_STATE, 'utf8'));
    const running = Object.keys(internalUrls).filter((name) => name in pids);
    const ready = await Promise.all(running.map((name) => isReady(internalUrls[name])));
    if (ready.every(Boolean)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

beforeAll(() => (process.env.SWITCHYARD_TEST_STATE ? untilWhole() : undefined), 60_000);
