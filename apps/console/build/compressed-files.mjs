import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const worthIt = 1024;

/** Beside each file with a hash in its name lie its brotli and gzip forms: the gateway compresses nothing itself. */
export const compressedFiles = () => ({
  name: 'compressed-files',
  apply: 'build',
  async writeBundle({ dir }) {
    const assets = path.join(dir, 'assets');
    const files = (await readdir(assets)).filter((file) => /\.(js|css|svg)$/.test(file));
    await Promise.all(
      files.map(async (file) => {
        const content = await readFile(path.join(assets, file));
        if (content.length < worthIt) return;
        const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 };
        await writeFile(path.join(assets, `${file}.br`), await brotli(content, { params }));
        await writeFile(path.join(assets, `${file}.gz`), await gzip(content, { level: 9 }));
      }),
    );
  },
});
