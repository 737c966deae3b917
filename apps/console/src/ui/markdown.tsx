import type { ReactNode } from 'react';
import ReactMarkdown, { type Components, defaultUrlTransform } from 'react-markdown';
import gfm from 'remark-gfm';
import { markCitations } from './mark-citations';
import { CopyButton } from './copy-button';

export type MarkdownParts = Components;

/** Renders model output: HTML stays text, external images become links, links open in a new tab. */
interface Props {
  text: string;
  parts?: MarkdownParts | undefined;
  /** Numbers up to this one in brackets are `cite` elements. */
  citations?: number;
}

export function Markdown({ text, parts, citations = 0 }: Props): ReactNode {
  return (
    <div className="prose min-w-0 wrap-anywhere" dir="auto">
      <ReactMarkdown
        remarkPlugins={[gfm]}
        rehypePlugins={[[markCitations, citations]]}
        urlTransform={(url) => (url.startsWith('data:image/') ? url : defaultUrlTransform(url))}
        components={{
          a: ({ href, children }) => (
            <a href={href} target="_blank" rel="noreferrer nofollow">
              {children}
            </a>
          ),
          img: ({ src, alt }) => {
            const to = typeof src === 'string' ? src : '';
            if (to.startsWith('data:image/')) return <img src={to} alt={alt ?? ''} className="max-w-full rounded-lg" />;
            if (to === '') return <>{alt}</>;
            return (
              <a href={to} target="_blank" rel="noreferrer nofollow">
                {alt === undefined || alt === '' ? to : alt}
              </a>
            );
          },
          // A table of cells alone has an empty head.
          th: ({ children, style }) => (children ? <th style={style}>{children}</th> : <td />),
          pre: ({ children, node }) => (
            <div className="reveal-area relative">
              <pre tabIndex={0}>{children}</pre>
              <div className="reveal absolute top-1.5 right-1.5">
                <CopyButton text={textIn(node)} label="Copy code" bare />
              </div>
            </div>
          ),
          ...parts,
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

interface Tree {
  value?: unknown;
  children?: unknown[];
}

export function textIn(node: unknown): string {
  const { value, children } = (node ?? {}) as Tree;
  return typeof value === 'string' ? value : (children ?? []).map(textIn).join('');
}
