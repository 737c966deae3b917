import { useQuery } from '@tanstack/react-query';
import { sectionsLike } from '../screens/guides/guide-search';
import { anchorOf } from '../screens/guides/anchor';

interface GuideSection {
  key: string;
  name: string;
  to: string;
  hash: string;
}

/** Guide sections that match a search. The index is fetched with the first query. */
export function useGuideSections(request: string): GuideSection[] {
  const { data } = useQuery({
    queryKey: ['guide-outlines'],
    enabled: request !== '',
    staleTime: Infinity,
    queryFn: async () => (await import('virtual:guide-outlines')).default,
  });
  return sectionsLike(data ?? [], request).map(({ guide, title, heading }) => {
    const hash = heading === null ? '' : anchorOf(heading);
    const name = heading === null ? `Guide: ${title}` : `Guide: ${title}, ${heading}`;
    return { key: `${guide}#${hash}`, name, to: `/docs/${guide}`, hash };
  });
}
