import { type ReactNode, createContext, use, useState } from 'react';
import type { EvidenceItem } from '@switchyard/client';
import { Markdown, type MarkdownParts, textIn } from '../../ui/markdown';
import { titleOf } from './source';
import { Source } from './sources';

const CitedSources = createContext<readonly EvidenceItem[]>([]);

/** An answer whose numbers in brackets open their source. */
export const CitingMarkdown = ({ text, items }: { text: string; items: readonly EvidenceItem[] }): ReactNode => (
  <CitedSources value={items}>
    <Markdown text={text} parts={PARTS} citations={items.length} />
  </CitedSources>
);

function Citation({ at }: { at: number }): ReactNode {
  const item = use(CitedSources)[at];
  const [isOpen, setOpen] = useState(false);
  if (!item) return `[${at + 1}]`;
  return (
    <>
      <button
        type="button"
        aria-label={`Source ${at + 1}: ${titleOf(item)}`}
        title={titleOf(item)}
        className="mx-0.5 inline-block min-h-6 min-w-6 rounded-md bg-accent-soft px-1.5 text-center text-sm font-medium text-accent tabular-nums hover:underline"
        onClick={() => setOpen(true)}
      >
        {at + 1}
      </button>
      {isOpen && <Source item={item} at={at} onClose={() => setOpen(false)} />}
    </>
  );
}

const PARTS: MarkdownParts = { cite: ({ node }) => <Citation at={Number(textIn(node)) - 1} /> };
