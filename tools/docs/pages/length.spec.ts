import { documents, textOf } from './documents';
import { fencesOf } from './page';

const concepts = documents.filter((document) => document.startsWith('docs/concepts/'));

const wordsOf = (text: string): number => text.split(/\s+/u).filter(Boolean).length;

test('the README has at most 150 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test('there is a page for each concept', () => {
  expect(concepts.length).toBeGreaterThanOrEqual(8);
});

test.each(concepts)('%s has at most 500 words and exactly one picture', (document) => {
  const text = textOf(document);
  expect(wordsOf(text)).toBeLessThanOrEqual(500);
  expect(fencesOf(text).filter(({ language }) => language === 'mermaid')).toHaveLength(1);
});
