export interface Outline {
  guide: string;
  title: string;
  /** The first one is the beginning of the guide, and has its title for a heading. */
  sections: { heading: string; words: string }[];
}

export interface FoundSection {
  guide: string;
  title: string;
  /** Null where it is the beginning of the guide. */
  heading: string | null;
}

/** Shorter beginnings of words are those of too many. */
const LETTERS = 3;

const isIn = (typed: string, text: string): boolean => text.toLowerCase().includes(typed);
const beginsWord = (typed: string, words: string): boolean =>
  typed.length >= LETTERS && ` ${words}`.includes(` ${typed}`);

/** Sections that contain all typed words. Titles of pages that match come first, then headings, then texts. */
export function sectionsLike(outlines: readonly Outline[], typed: string, most: number): FoundSection[] {
  const request = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  if (request.length === 0) return [];
  const found = outlines.flatMap(({ guide, title, sections }) =>
    sections
      .filter(({ heading, words }) => request.every((one) => isIn(one, heading) || beginsWord(one, words)))
      .map(({ heading }) => {
        const isTitle = heading === title;
        const isCalledSo = request.every((one) => isIn(one, heading));
        return {
          rank: isCalledSo ? (isTitle ? 0 : 1) : 2,
          section: { guide, title, heading: isTitle ? null : heading },
        };
      }),
  );
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ section }) => section);
}
