import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import sections from 'virtual:guide-index';
import { GuideResults } from '../../frame/guide-results';
import { Page, Section } from '../../ui/page';
import { SearchField } from '../../ui/search-field';
import { anchorOf } from './anchor';

/** All pages by the sections of docs/README.md, and a search in their text. */
export function GuidesPage(): ReactNode {
  const { hash } = useLocation();
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
  return (
    <Page title="Documentation" description="The pages of the version that runs.">
      <div className="max-w-4xl">
        <SearchField label="Search the documentation" value={typed} onChange={setTyped} className="mb-4" />
        {typed.trim() === '' ? (
          sections.map(({ name, pages }) => (
            <div key={name} id={anchorOf(name)}>
              <Section title={name}>
                <ul className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
                  {pages.map(({ guide, title, content }) => (
                    <li key={guide}>
                      <Link
                        to="/docs/$"
                        params={{ _splat: guide }}
                        className="text-accent underline underline-offset-2"
                      >
                        {title}
                      </Link>
                      <p className="text-sm text-soft">{content}</p>
                    </li>
                  ))}
                </ul>
              </Section>
            </div>
          ))
        ) : (
          <GuideResults typed={typed} most={20} />
        )}
      </div>
    </Page>
  );
}
