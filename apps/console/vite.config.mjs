import path from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.mjs';
import { guides } from './build/guides.mjs';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
/** `npm run dev:console` shows the data of this platform. */
const platform = process.env.SWITCHYARD_URL ?? 'http://127.0.0.1:3000';

/** The platform takes its own console's session from its own origin alone. */
const asThePlatform = { target: platform, changeOrigin: true, headers: { origin: platform } };

export default defineConfig({
  root: here,
  base: '/console/',
  plugins: [react(), tailwind(), guides(path.join(root, 'docs')), compressedFiles()],
  resolve: { alias: { '@switchyard/client': path.join(root, 'libs/client/src/index.ts') } },
  // The gateway puts a fresh value in its place with every page.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: path.join(root, 'dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    // Everything that the page loads has a name with a hash, and nothing is inlined that the policy would refuse.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    reportCompressedSize: false,
    // What gives style elements their nonce runs before the libraries that make them: a chunk of its own, loaded first.
    rolldownOptions: {
      input: [path.join(here, 'index.html'), path.join(here, 'src/reference/main.ts')],
      output: { codeSplitting: { groups: [{ name: 'nonce', test: /src[\\/]nonce\.ts$/ }] } },
    },
  },
  server: {
    proxy: {
      '/api': asThePlatform,
      '/console/session': asThePlatform,
      '/openapi.json': asThePlatform,
      '/docs': asThePlatform,
    },
  },
});
