import { usePlatform } from '@switchyard/testing';
import type { Browser } from 'playwright-core';
import { openBrowser, openPage } from './support/browser';

const platform = usePlatform();
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

describe.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])('the API reference on a screen of $width pixels', (viewport) => {
  it.each(['light', 'dark'] as const)(
    'shows an operation in the colors of the console when it is %s',
    async (scheme) => {
      const problems: string[] = [];
      const context = await browser.newContext({ viewport, colorScheme: scheme });
      const page = await openPage(context, platform.url, problems);
      await page.goto(`${platform.url}/docs#?route=post-/api/agents`);
      await page.getByText('Needs role MEMBER and scope').first().waitFor();
      await page.getByText('Instructions for the model.').first().waitFor();
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(scheme === 'dark' ? 'rgb(21, 22, 26)' : 'rgb(255, 255, 255)');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      expect(problems).toEqual([]);
      await context.close();
    },
  );
});
