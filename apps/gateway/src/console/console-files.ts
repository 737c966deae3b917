import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const PACKED = { br: '.br', gzip: '.gz' } as const;
export type Packing = keyof typeof PACKED;

export interface ConsoleFile {
  type: string;
  content: Buffer;
  packed: Partial<Record<Packing, Buffer>>;
}

interface Loaded {
  builtAt: number;
  /** Around each place of the nonce. */
  page: string[];
  files: Map<string, ConsoleFile>;
}

/** The console as `npm run build:console` has left it beside the compiled services. */
@Injectable()
export class ConsoleFiles {
  private loaded: Loaded | undefined;

  /** The page, and the nonce under which its scripts and styles may run: another one for each answer. */
  page(): { html: string; nonce: string } {
    const nonce = randomBytes(18).toString('base64');
    return { html: this.load().page.join(nonce), nonce };
  }

  find(name: string): ConsoleFile | undefined {
    return this.load().files.get(name);
  }

  /** The file of an entry of the build; nothing if the console is not built. */
  entry(source: string): string | undefined {
    if (!existsSync(join(FOLDER, 'index.html'))) return undefined;
    const manifest = this.find('.vite/manifest.json')?.content.toString('utf8') ?? '{}';
    return (JSON.parse(manifest) as Record<string, { file: string } | undefined>)[source]?.file;
  }

  /** Again after each build: a platform that is running shows what was built since. */
  private load(): Loaded {
    const index = join(FOLDER, 'index.html');
    const builtAt = statSync(index, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined)
      throw new AppError('SERVICE_UNAVAILABLE', 'The console is not built. Run `npm run build:console`.');
    if (this.loaded?.builtAt !== builtAt)
      this.loaded = { builtAt, page: readFileSync(index, 'utf8').split('__NONCE__'), files: readFiles() };
    return this.loaded;
  }
}

/** From dist/apps/gateway/src/console. */
const FOLDER = join(__dirname, '../../../../console');

/** All files, by their path beneath the folder. Any other path is not found, however it is written. */
function readFiles(): Map<string, ConsoleFile> {
  const names = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
  const there = new Set(names);
  const read = (name: string): Buffer => readFileSync(join(FOLDER, name));
  return new Map(
    names.flatMap((name): [string, ConsoleFile][] => {
      const type = TYPES[extname(name)];
      if (type === undefined || name === 'index.html') return [];
      const packings = Object.entries(PACKED).filter(([, suffix]) => there.has(name + suffix));
      const packed = Object.fromEntries(packings.map(([packing, suffix]) => [packing, read(name + suffix)]));
      return [[name, { type, content: read(name), packed }]];
    }),
  );
}
