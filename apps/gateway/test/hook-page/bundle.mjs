// Bundles the page as somebody would who uses the package: node bundle.mjs <folder>
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));
await build({
  configFile: false,
  root: here,
  logLevel: 'warn',
  mode: 'development',
  define: { 'process.env.NODE_ENV': '"development"' },
  build: {
    outDir: process.argv[2],
    minify: false,
    rollupOptions: { input: path.join(here, 'page.mjs'), output: { entryFileNames: 'page.js' } },
  },
});
