import type { ReactNode } from 'react';

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

const plain = (text: string): string => text.replace(/&(?:lt|gt|quot|#39|amp);/gu, (entity) => ENTITIES[entity] ?? '');

/** Highlights the matched words. Text that the API escaped is unescaped as text, never as markup. */
export const Excerpt = ({ of }: { of: string }): ReactNode =>
  of.split(/(<mark>.*?<\/mark>)/su).map((part, index) =>
    part.startsWith('<mark>') ? (
      <mark key={index} className="rounded-sm bg-warn-soft text-ink">
        {plain(part.slice('<mark>'.length, -'</mark>'.length))}
      </mark>
    ) : (
      plain(part)
    ),
  );
