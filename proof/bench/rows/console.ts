import { type CDPSession, type Page, chromium } from 'playwright-core';
import { median } from '../measure';
import type { BenchContext, BenchRow, Measured } from '../row';
import { type ConsoleGround, prepareConsole } from './console-ground';

const FIRST_ROW_MS = 1_000;
const CALL_MS = 300;
const HEAP_MIB = 150;
const FRAME_MS = 1_000 / 60;
const OPENINGS = 5;
const SCROLL_MS = 8_000;
const MIB = 1024 * 1024;

interface Screen {
  name: string;
  path: string;
  /** The selector of a row. */
  row: string;
}

const screensOf = ({ taskId, datasetId }: ConsoleGround): Screen[] => [
  { name: 'Activity', path: '/activity', row: 'table[aria-label="Activity"] tbody tr[role=row]' },
  { name: 'Chat', path: '/chat', row: 'main li a[href*="/console/chat/"]' },
  { name: 'Runs of a task', path: `/tasks/${taskId}`, row: 'main table[aria-label="Executions"] tbody tr[role=row]' },
  { name: 'Dataset', path: `/datasets/${datasetId}`, row: 'table[aria-label="Articles"] tbody tr[data-index]' },
];

interface Opening {
  paintMs: number;
  rowMs: number;
  /** The slowest call of the API, from its sending to its end: what it waited for a connection is in `rowMs`. */
  callMs: number;
}

const TIMES = `(() => {
  const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
  const calls = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.startsWith('/api/'));
  return { paintMs: paint, rowMs: performance.now(), callMs: Math.max(0, ...calls.map(({ requestStart, responseEnd }) => responseEnd - requestStart)) };
})()`;

/** From nothing, as a link from elsewhere opens it: the page, its session, its first row. */
async function open(page: Page, url: string, { path, row }: Screen): Promise<Opening> {
  await page.goto(`${url}/console${path}`, { waitUntil: 'commit' });
  await page.locator(row).first().waitFor();
  return page.evaluate<Opening>(TIMES);
}

/** Down through the rows as a wheel does; how long each frame took. */
const SCROLL = (selector: string): string => `(async () => {
  let box = document.querySelector(${JSON.stringify(selector)});
  while (box && box.scrollHeight <= box.clientHeight) box = box.parentElement;
  const frames = [];
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  let before = await frame();
  const end = before + ${SCROLL_MS};
  while (before < end) {
    box.scrollTop += 240;
    const now = await frame();
    frames.push(now - before);
    before = now;
  }
  return frames;
})()`;

const absolute = (what: string, ours: number, limit: number, unit: string): Measured => ({
  what,
  beside: '-',
  ours,
  theirs: NaN,
  unit,
  ratio: NaN,
  target: `<= ${Math.round(limit)}`,
  met: ours <= limit,
});

async function heapMib(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN) / MIB;
}

async function signedIn(page: Page, { platform, space }: ConsoleGround): Promise<void> {
  await page.goto(`${platform.url}/console/keys`);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(space.owner.identity.email ?? '');
  await page.getByRole('textbox', { name: 'Password' }).fill(space.owner.identity.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
}

async function measure(page: Page, ground: ConsoleGround, report: (line: string) => void): Promise<Measured[]> {
  const { url } = ground.platform;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const all: Measured[] = [];
  for (const screen of screensOf(ground)) {
    await open(page, url, screen);
    const seen: Opening[] = [];
    for (let time = 0; time < OPENINGS; time += 1) seen.push(await open(page, url, screen));
    const of = (part: keyof Opening): number => median(seen.map((opening) => opening[part]));
    report(
      `${screen.name}: first paint ${of('paintMs').toFixed(0)} ms, first row ${of('rowMs').toFixed(0)} ms, slowest call ${of('callMs').toFixed(0)} ms`,
    );
    const frames = await page.evaluate<number[]>(SCROLL(screen.row));
    const sorted = frames.toSorted((a, b) => a - b);
    const slow = sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
    const heap = await heapMib(session);
    const slots = await page.locator(screen.row).count();
    report(
      `${screen.name}: ${frames.length} frames in ${SCROLL_MS / 1000} s, p50 ${median(frames).toFixed(1)} ms, p95 ${slow.toFixed(1)} ms, ${slots} rows in the page, heap ${heap.toFixed(0)} MiB`,
    );
    all.push(
      absolute(`${screen.name}, first row`, of('rowMs'), FIRST_ROW_MS, 'ms'),
      absolute(`${screen.name}, slowest call`, of('callMs'), CALL_MS, 'ms'),
      // A frame is never sooner than the screen is: a millisecond is for the clock.
      absolute(`${screen.name}, frame while scrolling, p50`, median(frames), FRAME_MS + 1, 'ms'),
      absolute(`${screen.name}, heap after it`, heap, HEAP_MIB, 'MiB'),
    );
  }
  return all;
}

/**
 * The console on a large Space, in a real browser: 10,000 chats, 100,000 records, 1,000,000 executions. Its ground takes
 * minutes: run by name only.
 */
export const consoleScale: BenchRow = {
  name: 'console',
  onlyByName: true,
  async run({ report }: BenchContext): Promise<Measured[]> {
    const ground = await prepareConsole(report);
    const browser = await chromium.launch({
      executablePath: process.env['SWITCHYARD_TEST_CHROMIUM'],
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
      page.setDefaultTimeout(120_000);
      await signedIn(page, ground);
      return await measure(page, ground, report);
    } finally {
      await browser.close();
      await ground.platform.database.close();
    }
  },
};
