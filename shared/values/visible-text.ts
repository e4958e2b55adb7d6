/**
 * Removes invisible characters from text of third parties. With such characters, a name can imitate another name, and a
 * text can carry hidden instructions to an agent.
 */

/** Line breaks, tabs and other control characters. They separate words, so blanks replace them. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * Format characters (bidi controls, zero-width characters, tags), private-use and unassigned characters, variation
 * selectors, and fillers and joiners that Unicode classifies as letters, marks or symbols although they are invisible.
 */
const UNSEEN =
  /\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\p{Variation_Selector}|\u034F|\u115F|\u1160|\u17B4|\u17B5|\u2800|\u3164|\uFFA0/gu;

/** Returns the visible text on one line, without blanks at the ends. */
export const visibleText = (text: string): string => text.replaceAll(CONTROLS, ' ').replaceAll(UNSEEN, '').trim();
