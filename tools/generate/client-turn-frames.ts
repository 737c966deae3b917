import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { formatted } from './formatted';

/** Each imports only from those before it. */
const PARTS = ['product-events', 'event-display-names', 'turn-frame', 'frame-envelope', 'frame-handlers'];

const HEAD =
  '// Generated from libs/contracts/src/turn-frames; do not edit. After a change there: npm run generate\n\n';
const IMPORT = /^import .*? from '\.\/([a-z-]+)';\n/gms;

/** Types and readers of turn frames in one file: the client is published without the contracts. */
export function clientTurnFrames(): Promise<string> {
  const texts = PARTS.map((part) => {
    const text = readFileSync(join(projectRoot, `libs/contracts/src/turn-frames/${part}.ts`), 'utf8');
    for (const [, from = ''] of text.matchAll(IMPORT))
      if (!PARTS.includes(from)) throw new Error(`${part}.ts imports ${from}, which the client does not have.`);
    return text.replaceAll(IMPORT, '').trim();
  });
  return formatted('turn-frames.ts', `${HEAD}${texts.join('\n\n')}\n`);
}
