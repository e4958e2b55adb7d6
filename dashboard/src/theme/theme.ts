import { createTheme } from '@mantine/core';

/**
 * The theme uses only settings without CSS variables, because CSS variables need a style element, which the content
 * security policy blocks.
 */
export const theme = createTheme({
  primaryColor: 'blue',
  components: {
    // `lockScroll` is off, because the library locks the page's scroll with a style element.
    Modal: { defaultProps: { lockScroll: false } },
    // A `header` element outside of `main` would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
  },
});
