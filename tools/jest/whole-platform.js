const { readFileSync } = require('node:fs');

const WHOLE_WITHIN_MS = 60_000;

const readState = () => JSON.parse(readFileSync(process.env.SWITCHYARD_TEST_STATE, 'utf8'));

const isReady = (url) =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );

/** A file that failed half-way can leave what it had stopped or frozen: the files behind it are not to pay for that. */
async function giveBack({ controlUrl, pids }) {
  for (const [name, pid] of Object.entries(pids)) {
    if (pid !== null) resume(pid);
    else if (!/-\d+$/.test(name)) await startAgain(`${controlUrl}/start/${name}`, name);
  }
}

async function startAgain(url, name) {
  console.warn(`An earlier file has left ${name} stopped; it is started again.`);
  await fetch(url, { method: 'POST', signal: AbortSignal.timeout(WHOLE_WITHIN_MS) });
}

function resume(pid) {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has gone in this moment, and a successor comes.
  }
}

/** The file before may have ended while something that it had killed was coming up again. */
async function untilWhole() {
  let away = [];
  for (const deadline = Date.now() + WHOLE_WITHIN_MS; Date.now() < deadline;) {
    const { internalUrls, pids } = readState();
    const running = Object.keys(internalUrls).filter((name) => pids[name]);
    const ready = await Promise.all(running.map((name) => isReady(internalUrls[name])));
    away = running.filter((_, index) => !ready[index]);
    if (away.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // Without this each of its tests would wait in vain for as long as a test may take.
  throw new Error(`The platform is not whole: ${away.join(', ')} not ready after ${WHOLE_WITHIN_MS} ms.`);
}

async function makeWhole() {
  await giveBack(readState());
  await untilWhole();
}

beforeAll(() => (process.env.SWITCHYARD_TEST_STATE ? makeWhole() : undefined), 3 * WHOLE_WITHIN_MS);
