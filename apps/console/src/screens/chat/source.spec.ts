/// <reference types="jest" />
import type { EvidenceItem, Message } from '@switchyard/client';
import { passagesOf, sourcesOf, titleOf } from './source';
import { entriesOf } from './stored-blocks';

const textOf = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
const source = (fields: Record<string, unknown>, text = textOf(fields)): EvidenceItem => ({
  dataset_id: 'd',
  record_id: 'r',
  score: 0.5,
  text,
  fields,
});

describe('the title of a source', () => {
  it.each([
    [{ body: 'Long.', Title: 'Returns' }, 'Returns'],
    [{ slug: 'x-1', question: 'How?' }, 'How?'],
    [{ body: 'b'.repeat(200), slug: 'x-1' }, 'x-1'],
    [{ price: 3, title: '  ' }, 'price: 3\ntitle:'],
    [{}, 'Untitled'],
  ])('of %j is %j', (fields, title) => {
    expect(titleOf(source(fields))).toBe(title);
  });
});

describe('the passage of a source', () => {
  it('is each field with a value, without the title', () => {
    const fields = { title: 'Returns', body: 'Within 30 days.', price: 3, none: null };
    expect(passagesOf(source(fields, 'title: Returns\nbody: Within 30 days.\nprice: 3'))).toEqual({
      passages: [
        { field: 'body', text: 'Within 30 days.' },
        { field: 'price', text: '3' },
      ],
      isCut: false,
    });
  });

  it('ends where the text for the agent was cut', () => {
    const { passages, isCut } = passagesOf(
      source({ title: 'Returns', body: 'abcdef', more: 'x' }, 'title: Returns\nbody: abc'),
    );
    expect(passages).toEqual([{ field: 'body', text: 'abc' }]);
    expect(isCut).toBe(true);
  });
});

const message = (id: string, role: Message['role'], more: Partial<Message> = {}): Message => ({
  id,
  sessionId: 's',
  turnId: 't',
  seq: 1,
  role,
  content: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
});
const written = (text: string): Partial<Message> => ({ content: [{ type: 'text', text }] });

describe('a stored transcript', () => {
  const items = [source({ title: 'Returns' })];

  it('has the sources of an answer and its error in one entry', () => {
    const entries = entriesOf([
      message('1', 'user', written('How?')),
      message('2', 'event', { event: { items } }),
      message('3', 'assistant', written('So.')),
      message('4', 'event', { event: { type: 'error', code: 'SERVER_ERROR', message: 'Broken.' } }),
    ]);
    expect(entries.map(({ role, blocks }) => [role, blocks.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['evidence', 'text', 'error']],
    ]);
    expect(entries[1]?.blocks[0]).toMatchObject({ items });
  });

  it('leaves out events without a form', () => {
    expect(entriesOf([message('1', 'event', { event: { kind: 'other' } }), message('2', 'event')])).toEqual([]);
    expect(sourcesOf({ items: [null, 'x', { text: 1 }] })).toEqual([]);
  });
});
