/** Text that others wrote, without what no reader sees: in a name it looks like another one, and to an agent it may speak. */

/** Line ends, tabs and other controls stand between words. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * Format characters (bidi controls, zero-width ones, tags), private use and unassigned ones, variation selectors, and the
 * fillers and joiners that Unicode counts as letters, marks or symbols though nothing shows.
 */
const UNSEEN =
  /\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\p{Variation_Selector}|\u034F|\u115F|\u1160|\u17B4|\u17B5|\u2800|\u3164|\uFFA0/gu;

/** On one line; blanks at the ends are gone, too. */
export const visibleText = (text: string): string => text.replaceAll(CONTROLS, ' ').replaceAll(UNSEEN, '').trim();
