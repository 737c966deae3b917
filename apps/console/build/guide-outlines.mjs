/** A word of more sections than this leads nowhere in particular. */
const sectionsOfOneWord = 10;
const codeBlock = /^```[^]*?^```/gmu;
const linkTarget = /\]\([^)]*\)/gu;
const word = /\p{Letter}[\p{Letter}\p{Number}_-]{2,29}/gu;

/**
 * What the search of the console knows of the guides: titles, headings, and the words that few sections have. A sixth of
 * the texts, which are not sent for it.
 */
export function outlinesOf(guides) {
  const outlines = guides.map(({ guide, text }) => {
    const [first, ...rest] = text.replaceAll(codeBlock, '').split(/^(?=#{1,3} )/mu);
    return { guide, title: headingOf(first), sections: [first, ...rest].map(sectionOf) };
  });
  const counts = new Map();
  for (const { sections } of outlines)
    for (const { words } of sections) for (const each of words) counts.set(each, (counts.get(each) ?? 0) + 1);
  return outlines.map(({ guide, title, sections }) => ({
    guide,
    title,
    sections: sections.map(({ heading, words }) => ({
      heading,
      words: words.filter((each) => counts.get(each) <= sectionsOfOneWord).join(' '),
    })),
  }));
}

const headingOf = (text) => /^#+ (.*)/u.exec(text)?.[1]?.replaceAll('`', '') ?? '';

const sectionOf = (text) => ({
  heading: headingOf(text),
  words: [...new Set(text.replaceAll(linkTarget, ' ').toLowerCase().match(word) ?? [])].sort(),
});
