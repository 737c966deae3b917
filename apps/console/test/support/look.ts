import { until } from '@switchyard/testing';
import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';
import { PHONE, problemAtPhone, textOf } from './phone';

export const WIDE = { width: 1440, height: 900 };

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/** All that axe knows of WCAG 2.2 AA, light and dark: in the second theme the colours alone, the rest is the same. */
export async function look(of: Page, path: string, within = 'html'): Promise<string[]> {
  if (!(await of.evaluate<boolean>("'axe' in window"))) await of.evaluate(axe);
  const found: string[] = [];
  const isDark = (await of.locator('html').getAttribute('data-theme')) === 'dark';
  const themes = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  for (const [at, theme] of themes.entries()) {
    if (at > 0) await of.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await of.locator(`html[data-theme=${theme}]`).waitFor();
    const options = at > 0 ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } };
    const violations = await of.evaluate<Finding[]>(
      `axe.run('${within}', ${JSON.stringify(options)}).then(({ violations }) => violations)`,
    );
    for (const { id, nodes } of violations)
      found.push(`${path} ${theme}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }
  return found;
}

/** Times are relative: what was now is some seconds ago a moment later. */
const OF_TIMES = /^(now|ago|sec|min|seconds?|minutes?|hours?)$/;

/** Nothing is wider than a small phone, and no word is lost there. */
export async function lookAtPhone(of: Page, path: string, within = 'main'): Promise<string[]> {
  // Without numbers, which change; of a word without end its beginning is enough.
  const words = ((await textOf(of, within)).match(/\p{Letter}{3,40}/gu) ?? []).filter((word) => !OF_TIMES.test(word));
  await of.setViewportSize(PHONE);
  // Rows are measured anew.
  const deadline = Date.now() + 30_000;
  let problem = await problemAtPhone(of, within, words);
  while (problem !== null && Date.now() < deadline) {
    await of.waitForTimeout(50);
    problem = await problemAtPhone(of, within, words);
  }
  await of.setViewportSize(WIDE);
  return problem === null ? [] : [`${path}: ${problem}`];
}

/** As a link does: without loading the console anew. */
export const go = (of: Page, path: string): Promise<unknown> =>
  of.evaluate(
    `history.pushState({ ...history.state, __TSR_index: (history.state?.__TSR_index ?? 0) + 1 }, '', '/console${path}')`,
  );

/** True once the router shows the page of the address. Before that the old page is still there, with its buttons. */
const HAS_ARRIVED = `(() => {
  const at = window.__TSR_ROUTER__.stores.resolvedLocation.get();
  return at !== undefined && new URL(at.publicHref, window.location.href).pathname === window.location.pathname;
})()`;

/** Its page with its data. */
export async function open(of: Page, path: string): Promise<void> {
  await go(of, path);
  await until(async () => (await of.evaluate<boolean>(HAS_ARRIVED)) || undefined);
  await of.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = of.locator('main .shimmer');
  await until(async () => (await loading.count()) === 0 || undefined);
}
