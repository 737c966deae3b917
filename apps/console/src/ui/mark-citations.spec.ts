import { markCitations } from './mark-citations';

const text = (value: string) => ({ type: 'text', value });
const element = (tagName: string, ...children: object[]) => ({ type: 'element', tagName, properties: {}, children });
const cite = (value: string) => element('cite', text(value));

const marked = (count: number, ...children: object[]): unknown => {
  const tree = { type: 'root', children: structuredClone(children) };
  markCitations(count)(tree as Parameters<ReturnType<typeof markCitations>>[0]);
  return tree.children;
};

test('a number in brackets is a citation, inside other elements too', () => {
  expect(marked(2, element('p', text('30 days [1][2].')))).toEqual([
    element('p', text('30 days '), cite('1'), cite('2'), text('.')),
  ]);
  expect(marked(1, element('p', element('strong', text('[1]'))))).toEqual([element('p', element('strong', cite('1')))]);
});

test('a number without a source stays text', () => {
  expect(marked(2, element('p', text('[0] [3] [x]')))).toEqual([
    element('p', text('[0]'), text(' '), text('[3]'), text(' [x]')),
  ]);
  expect(marked(0, element('p', text('see [1]')))).toEqual([element('p', text('see [1]'))]);
});

test('code and links stay as they are', () => {
  const children = [element('pre', element('code', text('list[1]'))), element('a', text('[1]'))];
  expect(marked(2, ...children)).toEqual(children);
});
