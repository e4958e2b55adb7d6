import { createTheme } from '@mantine/core';

/** Only settings without CSS variables: those need a style element, which the content security policy blocks. */
export const theme = createTheme({
  primaryColor: 'blue',
  components: {
    // Locking the page's scroll would write a style element.
    Modal: { defaultProps: { lockScroll: false } },
    Drawer: { defaultProps: { lockScroll: false } },
  },
});
