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

const FEW = 6;
/** Shorter beginnings of words are those of too many. */
const LETTERS = 3;

const isIn = (typed: string, text: string): boolean => text.toLowerCase().includes(typed);
const beginsWord = (typed: string, words: string): boolean =>
  typed.length >= LETTERS && ` ${words}`.includes(` ${typed}`);

/** The sections that have all of what is typed in their heading or their words, those called like it first. */
export function sectionsLike(outlines: readonly Outline[], typed: string): FoundSection[] {
  const request = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  if (request.length === 0) return [];
  const found = outlines.flatMap(({ guide, title, sections }) =>
    sections
      .filter(({ heading, words }) => request.every((one) => isIn(one, heading) || beginsWord(one, words)))
      .map(({ heading }) => ({
        isCalledSo: request.every((one) => isIn(one, heading)),
        section: { guide, title, heading: heading === title ? null : heading },
      })),
  );
  return found
    .sort((a, b) => Number(b.isCalledSo) - Number(a.isCalledSo))
    .slice(0, FEW)
    .map(({ section }) => section);
}
