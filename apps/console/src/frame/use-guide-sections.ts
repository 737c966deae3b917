import { useQuery } from '@tanstack/react-query';
import { type FoundSection, sectionsLike } from '../screens/guides/guide-search';
import { anchorOf } from '../screens/guides/anchor';

interface GuideSection extends FoundSection {
  key: string;
  /** Empty for the beginning of a page. */
  hash: string;
}

/** Guide sections that match a search. The index is fetched with the first query. */
export function useGuideSections(request: string, most: number): { sections: GuideSection[]; isLoading: boolean } {
  const { data } = useQuery({
    queryKey: ['guide-outlines'],
    enabled: request !== '',
    staleTime: Infinity,
    queryFn: async () => (await import('virtual:guide-outlines')).default,
  });
  const sections = sectionsLike(data ?? [], request, most).map((found) => {
    const hash = found.heading === null ? '' : anchorOf(found.heading);
    return { ...found, hash, key: `${found.guide}#${hash}` };
  });
  return { sections, isLoading: data === undefined };
}
