import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useGuideSections } from './use-guide-sections';

/** The sections of the documentation that match a search, as links. */
export function GuideResults({ typed, most }: { typed: string; most: number }): ReactNode {
  const { sections, isLoading } = useGuideSections(typed.trim(), most);
  if (isLoading) return null;
  if (sections.length === 0)
    return (
      <p role="status" className="text-soft">
        No page has all of these words.
      </p>
    );
  return (
    <ul aria-label="Found pages" className="grid gap-1.5">
      {sections.map(({ key, title, heading, guide, hash }) => (
        <li key={key}>
          <Link
            to="/docs/$"
            params={{ _splat: guide }}
            hash={hash}
            className="text-accent underline underline-offset-2"
          >
            {heading === null ? title : `${title}: ${heading}`}
          </Link>
        </li>
      ))}
    </ul>
  );
}
