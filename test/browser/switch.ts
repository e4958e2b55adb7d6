/** A switch that shows the choice within the same event does not flip back, even on a busy machine. */
import type { Locator } from 'playwright-core';

/** The used part of a page's element: the tests do not load DOM types. */
interface Box {
  checked: boolean;
  click(): void;
}

/** Chooses, and returns whether the choice shows before anything else could happen in the page. */
export const showsAtOnce = async (control: Locator): Promise<boolean> =>
  control.evaluate((element) => {
    const box = element as unknown as Box;
    const before = box.checked;
    box.click();
    return box.checked !== before;
  });
