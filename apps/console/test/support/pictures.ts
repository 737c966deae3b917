import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';

const FOLDER = path.resolve(__dirname, '../../../../docs/pictures');
const OUTLINES = path.join(FOLDER, 'outlines.json');
/** Parts of a screen come one after the other. */
const SETTLED_MS = 2_000;
const PATIENCE_MS = 20_000;
const TAKES = process.env['SWITCHYARD_TEST_UPDATE'] !== undefined;

/** The parts of a screen that do not depend on data: a picture is outdated when these change. */
const OWN =
  /^- (?:heading|button|link|columnheader|textbox|searchbox|combobox|checkbox|radio|tab|navigation|region)\b/u;

/** The roles and names of what is on a page, without data: numbers, addresses and what repeats are left out. */
export async function outlineOf(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n').map((line) => line.trim());
  const own = lines
    .filter((line) => OWN.test(line))
    .map((line) => /^- \w+(?: "(?:[^"\\]|\\.)*")?/u.exec(line)?.[0] ?? '');
  const plain = own.map((line) =>
    line
      .replaceAll(/\S+@\S+/gu, '<e-mail>')
      .replaceAll(/\b[0-9a-f-]{8,}\b/gu, '<id>')
      .replaceAll(/\d[\d.,:]*/gu, '<number>')
      // The count of the inbox comes when it comes.
      .replace(', <number>"', '"'),
  );
  return [...new Set(plain)].sort();
}

const outlines = (): Record<string, string[]> =>
  existsSync(OUTLINES) ? (JSON.parse(readFileSync(OUTLINES, 'utf8')) as Record<string, string[]>) : {};

/** Takes the picture of a screen, light and dark, where that is asked for. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!TAKES) return;
  mkdirSync(FOLDER, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    await page.screenshot({ path: path.join(FOLDER, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** The settled screen, compared with the one in the stored picture. */
export async function compareOutline(page: Page, name: string): Promise<{ now: string[]; then: string[] | undefined }> {
  if (TAKES) {
    await page.waitForTimeout(SETTLED_MS);
    writeFileSync(OUTLINES, `${JSON.stringify({ ...outlines(), [name]: await outlineOf(page) }, null, 2)}\n`);
  }
  const then = outlines()[name];
  let now = await outlineOf(page);
  for (const deadline = Date.now() + PATIENCE_MS; !isDeepStrictEqual(now, then) && Date.now() < deadline;) {
    await page.waitForTimeout(200);
    now = await outlineOf(page);
  }
  return { now, then };
}
