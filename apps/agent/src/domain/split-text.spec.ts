import { textItems } from './split-text';

describe('the text of a model', () => {
  it('is one item, or none', () => {
    expect(textItems('Hello')).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(textItems('')).toEqual([]);
  });

  it('is several where it is long, which together are the same text', () => {
    const text = `x${'\u{1F600}'.repeat(300_000)}`;
    const items = textItems(text);
    expect(items).toHaveLength(3);
    expect(items.map((item) => item.text).join('')).toBe(text);
    for (const item of items) expect(item.text?.isWellFormed()).toBe(true);
  });
});
