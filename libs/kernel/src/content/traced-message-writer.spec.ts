import { ATTRIBUTE_CHARACTERS, ContentWriter, type TracedMessage, TEXT_CHARACTERS } from './traced-message-writer';

const messageOf = (content: string, role: TracedMessage['role'] = 'user'): TracedMessage => ({
  role,
  parts: [{ type: 'text', content }],
});
const asItIs = (message: TracedMessage): TracedMessage => message;
const read = (text: string): TracedMessage[] => JSON.parse(text) as TracedMessage[];

describe('traced messages', () => {
  it('keeps the schema, and masks texts, keys, numbers and arguments', async () => {
    const writer = new ContentWriter(['s3cret', '4711']);
    const call = { type: 'tool_call', id: 'c', name: 'act', arguments: { s3cret: [47110, 's3cret', true, null] } };
    expect(read(await writer.messages([messageOf('my s3cret'), { role: 'assistant', parts: [call] }], asItIs))).toEqual(
      [
        messageOf('my ***'),
        { role: 'assistant', parts: [{ ...call, arguments: { '***': ['***', '***', true, null] } }] },
      ],
    );
    expect(await writer.value({ a: 's3cret' })).toBe('{"a":"***"}');
    expect(await writer.value(undefined)).toBe('null');
  });

  it('masks all secrets of a Space, more than are looked for in one go', async () => {
    const secrets = Array.from({ length: 200 }, (_, i) => `value-${i}-of-many`);
    const written = await new ContentWriter(secrets).value(secrets.map((secret) => `<${secret}>`));
    expect(JSON.parse(written)).toEqual(secrets.map(() => '<***>'));
  });

  it('finds the longer of two secrets that share a beginning', async () => {
    const secrets = [...Array.from({ length: 30 }, (_, i) => `filler-${i}`), 'abc', 'abcdef'];
    expect(await new ContentWriter(secrets).value('abcdef abc')).toBe('"*** ***"');
  });

  it('truncates a long text, marks it, and shows no part of a secret at the cut', async () => {
    const secret = 'x-secret-at-the-border';
    for (const before of [TEXT_CHARACTERS - 10, TEXT_CHARACTERS + 64 * 1024 - 10]) {
      // Many secrets that shrink the text move the cut closer to its end.
      for (const fill of ['a'.repeat(before), secret.repeat(before / secret.length).padEnd(before, 'a')]) {
        const text = `${fill}${secret}${'b'.repeat(200_000)}`;
        const written = JSON.parse(await new ContentWriter([secret]).value(text)) as string;
        expect(written).toMatch(new RegExp(`… \\[cut, ${text.length} characters in all\\]$`));
        expect(written).not.toContain('x-secret');
        expect(written.length).toBeLessThan(TEXT_CHARACTERS + 100);
      }
    }
  });

  it('keeps the instructions and the newest messages, and counts the rest', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => messageOf(`${i}:${'t'.repeat(1000)}`));
    const written = await new ContentWriter([]).messages([messageOf('Be kind.', 'system'), ...many], asItIs);
    const messages = read(written);
    expect(written.length).toBeLessThan(ATTRIBUTE_CHARACTERS * 1.2);
    expect(messages[0]).toEqual(messageOf('Be kind.', 'system'));
    expect(messages[1]?.parts[0]?.['content']).toBe(`… [${1002 - messages.length} earlier messages left out]`);
    expect(messages.at(-1)).toEqual(many.at(-1));
  });

  it('bounds wide, deep and many-parted values', async () => {
    let deep: unknown = 'end';
    for (let i = 0; i < 1000; i += 1) deep = [deep];
    const wide = Array.from({ length: 100_000 }, (_, i) => ({ [`k${i}`]: i }));
    for (const value of [deep, wide, Object.fromEntries(wide.entries()), ['x'.repeat(1e6), ...wide]]) {
      const written = await new ContentWriter(['secret']).value(value);
      expect(written.length).toBeLessThan(ATTRIBUTE_CHARACTERS * 2);
      expect(written).toContain('left out');
    }
    const parts = Array.from({ length: 10_000 }, () => ({ type: 'text', content: '' }));
    expect((await new ContentWriter([]).messages([{ role: 'user', parts }], asItIs)).length).toBeLessThan(
      ATTRIBUTE_CHARACTERS,
    );
  });

  it('lets others have their turn', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const secrets = Array.from({ length: 32 }, (_, i) => `${i}ä"`.repeat(1500));
    await new ContentWriter(secrets).messages([messageOf('t'.repeat(1e6)), messageOf('u'.repeat(1e6))], asItIs);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(5);
  });
});
