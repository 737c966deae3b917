import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

const docs = path.join(projectRoot, 'docs');
const read = (file: string): string => readFileSync(path.join(docs, file), 'utf8');
const sourcesOf = (text: string): string[] =>
  [...text.matchAll(/^```mermaid\n([^]*?)^```$/gmu)].map(([, one = '']) => one);
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, sources: sourcesOf(read(file)) }))
  .filter(({ sources }) => sources.length > 0);
const drawingOf = (file: string): string => `pictures/diagrams/${path.basename(file, '.md')}.svg`;

describe('the drawn diagrams', () => {
  it('are those of the sources in the pages, one a page (npm run docs:diagrams draws them)', () => {
    expect(pages.length).toBeGreaterThan(0);
    const stale = pages.filter(({ file, sources: [source = '', ...others] }) => {
      const digest = createHash('sha256').update(source).digest('hex');
      const drawing = drawingOf(file);
      return (
        others.length > 0 || !existsSync(path.join(docs, drawing)) || !read(drawing).startsWith(`<!-- ${digest} -->`)
      );
    });
    expect(stale.map(({ file }) => file)).toEqual([]);
  });

  it('contain no style, script or address, which the policy of the console refuses', () => {
    const refused = pages.filter(({ file }) =>
      /<style|style=|<script|href=|url\((?!#)|https?:\/\/(?!www\.w3\.org\/2000\/svg)/u.test(read(drawingOf(file))),
    );
    expect(refused.map(({ file }) => file)).toEqual([]);
  });
});
