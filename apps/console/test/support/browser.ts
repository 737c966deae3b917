import type { Client } from '@switchyard/testing';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';

/** Only failures take it. */
const PATIENCE_MS = 60_000;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['SWITCHYARD_TEST_CHROMIUM'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });

/** A page of the console; `problems` gets what went wrong in it, and whom it asked beside us. */
export async function openPage(context: BrowserContext, url: string, problems: string[]): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text());
  });
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(url) || /^(data|blob):/.test(request.url());
    if (!isOurs) problems.push(`asked ${request.url()}`);
  });
  return page;
}

export async function signIn(page: Page, { identity }: Client, password = identity.password): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(identity.email ?? '');
  await page.getByRole('textbox', { name: 'Password' }).fill(password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** By its link in the navigation; its heading is there afterwards. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}
