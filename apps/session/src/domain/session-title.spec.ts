import { titleFrom } from './session-title';

const text = (value: string) => ({ type: 'text' as const, text: value });

describe('titleFrom', () => {
  it('is the first text, on one line', () => {
    expect(titleFrom([text('  Plan\n a \t trip ')])).toBe('Plan a trip');
  });

  it('cuts long text between words and says so', () => {
    const title = titleFrom([text('word '.repeat(60))]);
    expect(title).toMatch(/^(word )+word…$/);
    expect(title?.length).toBeLessThanOrEqual(80);
  });

  it('cuts one endless word without breaking a character', () => {
    const title = titleFrom([text('😀'.repeat(200))]) ?? '';
    expect(title.isWellFormed()).toBe(true);
    expect(Array.from(title)).toHaveLength(80);
  });

  it('is null where nothing was written', () => {
    expect(titleFrom([{ type: 'image_url', image_url: { url: 'https://example.org/cat.png' } }])).toBeNull();
    expect(titleFrom([text(' \n ')])).toBeNull();
  });
});
