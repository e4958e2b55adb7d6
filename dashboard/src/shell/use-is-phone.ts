import { useMediaQuery } from '@mantine/hooks';

/** The style sheets have the same limit. */
const PHONE = '(max-width: 48em)';

/** True if the screen is too narrow for tables, which then become lists. */
export const useIsPhone = (): boolean => useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false;
