// `npm run docs:diagrams`: draws the Mermaid diagrams of docs/ as SVG for the console, which has no renderer of its own.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';

const docs = path.resolve(import.meta.dirname, '../docs');

/** Colours of the renderer and the console's, which follow the theme. The second one is for a file opened by itself. */
const COLOURS = {
  '--_text': 'var(--ink, #1f2328)',
  '--_text-sec': 'var(--ink-soft, #57606a)',
  '--_text-muted': 'var(--ink-soft, #57606a)',
  '--_text-faint': 'var(--ink-faint, #6e7781)',
  '--_line': 'var(--ink-faint, #6e7781)',
  '--_arrow': 'var(--ink-soft, #57606a)',
  '--_node-fill': 'var(--sunken, #f6f8fa)',
  '--_node-stroke': 'var(--line-strong, #afb8c1)',
  '--_group-fill': 'none',
  '--_group-hdr': 'var(--accent-soft, #eaeef2)',
  '--_inner-stroke': 'none',
  '--bg': 'var(--surface, #ffffff)',
};

/** Styles and inline styles go: the console's policy refuses them, and they would load a font from another host. */
const plain = (svg) =>
  svg
    .replace(/<style>[^]*?<\/style>\n?/u, '')
    .replace(/(<svg [^>]*?viewBox="0 0 (\d+)[^"]*"[^>]*?) style="[^"]*">/u, '$1 font-family="system-ui, sans-serif">')
    .replaceAll(/var\((--[\w-]+)\)/gu, (whole, name) => COLOURS[name] ?? whole)
    .replaceAll(/\d+\.\d{3,}/gu, (number) => String(Math.round(Number(number) * 100) / 100))
    .replaceAll(/ data-[\w-]+="[^"]*"/gu, '');

for (const file of readdirSync(docs, { recursive: true }).filter((name) => name.endsWith('.md'))) {
  const [, source] = /^```mermaid\n([^]*?)^```$/mu.exec(readFileSync(path.join(docs, file), 'utf8')) ?? [];
  if (source === undefined) continue;
  const svg = plain(renderMermaidSVG(source, { transparent: true, nodeSpacing: 16, layerSpacing: 28, padding: 8 }));
  const digest = createHash('sha256').update(source).digest('hex');
  const drawn = `pictures/diagrams/${path.basename(file, '.md')}.svg`;
  writeFileSync(path.join(docs, drawn), `<!-- ${digest} -->\n${svg.trim()}\n`);
  console.log(drawn);
}
