import type { Locator } from 'playwright-core';

/** More controls than a page has before any of them. */
const MAX_PRESSES = 150;

export const isFocused = (of: Locator): Promise<boolean> =>
  of.first().evaluate((element) => element.contains(element.ownerDocument.activeElement));

/** By the Tab key from where the focus is, as a person without a mouse. */
export async function tabTo(of: Locator): Promise<void> {
  await of.first().waitFor();
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    if (await isFocused(of)) return;
    await of.page().keyboard.press('Tab');
  }
  throw new Error(`${String(of)} is not reached by Tab`);
}
