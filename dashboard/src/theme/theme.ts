import { createTheme } from '@mantine/core';

/** Only what needs no variables of its own: those would be a style element, which the content security policy refuses. */
export const theme = createTheme({
  primaryColor: 'blue',
  components: {
    // Locking the page's scroll writes a style element.
    Modal: { defaultProps: { lockScroll: false } },
    Drawer: { defaultProps: { lockScroll: false } },
  },
});
