/** A switch that shows what was chosen in the very event does not spring back, however busy the machine. */
import type { Locator } from 'playwright-core';

/** What is used of an element of the page: the tests know no DOM. */
interface Box {
  checked: boolean;
  click(): void;
}

/** Chooses, and tells whether it shows before anything else could have happened in the page. */
export const showsAtOnce = async (control: Locator): Promise<boolean> =>
  control.evaluate((element) => {
    const box = element as unknown as Box;
    const before = box.checked;
    box.click();
    return box.checked !== before;
  });
