import type { Page } from 'playwright-core';

export const PHONE = { width: 360, height: 740 };
/** A truncated text still shows some words. */
const READABLE = 72;

export const textOf = async (of: Page, within: string): Promise<string> =>
  (await of.locator(within).allInnerTexts()).join(' ').toLowerCase();

/** Why it is not all there; null where it is. */
export async function problemAtPhone(of: Page, within: string, words: readonly string[]): Promise<string | null> {
  const wide = await of.evaluate<string[]>(
    `[...document.querySelectorAll('html, ${within}')]
      .filter((one) => one.scrollWidth > ${PHONE.width})
      .flatMap((one) => [one, ...one.querySelectorAll('*')])
      .filter((one) => one.getBoundingClientRect().right > ${PHONE.width})
      .map((one) => one.tagName + '.' + one.getAttribute('class'))`,
  );
  if (wide.length > 0) return `wider than a phone: ${wide.slice(0, 12).join(' > ').slice(0, 700)}`;
  const cut = await of.evaluate<string[]>(
    `[...document.querySelectorAll('${within}')]
      .flatMap((one) => [...one.querySelectorAll('*')])
      .filter((one) => getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth)
      .filter((one) => one.clientWidth > 1 && one.clientWidth < ${READABLE})
      .map((one) => one.clientWidth + ' px of ' + one.textContent)`,
  );
  if (cut.length > 0) return `a phone cuts to nothing: ${cut.join(' | ').slice(0, 700)}`;
  const text = await textOf(of, within);
  const lapsed = words.filter((word) => !text.includes(word));
  return lapsed.length === 0 ? null : `a phone loses ${[...new Set(lapsed)].join(' ')}`;
}
