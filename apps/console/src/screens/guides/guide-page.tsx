import { type ReactNode, useEffect, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { NotFound } from '../../frame/not-found';
import { Markdown, type MarkdownParts, textIn } from '../../ui/markdown';
import { Page } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { anchorOf } from './anchor';
import { indexOfRow, readGuide } from './guide-text';
import { GuidesPage } from './guides-page';

const CRUMBS = [{ label: 'Documentation', to: '/docs' }];

/** The index of the documentation, or one of its pages. */
export function GuidePage(): ReactNode {
  const { _splat: guide = '' }: { _splat?: string } = useParams({ strict: false });
  return guide === '' ? <GuidesPage /> : <OneGuide guide={guide} />;
}

/** A guide of the repository, beside the screens that it is about. */
function OneGuide({ guide }: { guide: string }): ReactNode {
  const { hash } = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: ['guide', guide],
    queryFn: () => readGuide(guide),
    staleTime: Infinity,
  });
  const parts = useMemo(() => partsOf(guide), [guide]);
  useEffect(() => {
    if (data && hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [data, hash]);
  if (data === null) return <NotFound />;
  return (
    <Page title={data?.title ?? 'Guide'} crumbs={CRUMBS}>
      {data ? (
        // Keys scroll a guide without links too.
        <article tabIndex={0} aria-label={data.title} className="card max-w-4xl p-5 sm:p-7">
          <Markdown text={data.text} parts={parts} />
          {data.diagram !== null && <Diagram title={data.title} svg={data.diagram} />}
          <Markdown text={data.textBelow} parts={parts} />
        </article>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading label="Loading the guide" lines={8} />
      )}
    </Page>
  );
}

/* oxlint-disable react/no-danger -- a file of the repository, drawn before the build; nothing of a user is in it. */
/** The drawing takes the colours of the theme. Narrow screens scroll it, because its words would be too small. */
const Diagram = ({ title, svg }: { title: string; svg: string }): ReactNode => (
  <figure
    tabIndex={0}
    aria-label={`Diagram: ${title}`}
    className="my-4 overflow-x-auto [&>svg]:mx-auto [&>svg]:h-auto [&>svg]:max-w-full [&>svg]:min-w-lg"
    dangerouslySetInnerHTML={{ __html: svg }}
  />
);
/* oxlint-enable react/no-danger */

function partsOf(guide: string): MarkdownParts {
  return {
    h2: ({ children, node }) => (
      <h2 id={anchorOf(textIn(node))} className="mt-8! text-lg">
        {children}
      </h2>
    ),
    h3: ({ children, node }) => <h3 id={anchorOf(textIn(node))}>{children}</h3>,
    a: ({ href = '', children }) => {
      const path = indexOfRow(guide, href);
      if (path === null) return <>{children}</>;
      if ('guide' in path)
        return (
          <Link to="/docs/$" params={{ _splat: path.guide }} hash={path.hash}>
            {children}
          </Link>
        );
      return (
        <a href={path.url} target="_blank" rel="noreferrer">
          {children}
        </a>
      );
    },
  };
}
