/** `npm run build:dashboard` writes `dist/dashboard`; `npx vite dashboard` serves it with live reload beside `npm start`. */
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const LOCAL_STACK = 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, '../dist/dashboard'),
    emptyOutDir: true,
    // The budget test follows the entry's static imports.
    manifest: true,
    // A data: URL in a style sheet would need its own word in the content security policy.
    assetsInlineLimit: 0,
    // The licences of the libraries in the page demand that their text comes with it.
    license: { fileName: 'third-party-notices.txt' },
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': LOCAL_STACK, '/_local': LOCAL_STACK, '/config.json': LOCAL_STACK },
  },
});
