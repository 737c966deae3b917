import type { DatasetField } from '@switchyard/contracts';
import { checkNewSchema, extendSchema, shownSchema } from './check-schema';

const title: DatasetField = { name: 'title', type: 'string', required: true };
const year: DatasetField = { name: 'year', type: 'integer', indexed: true, default: 0 };

const refusal = (path: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] });

describe('checkNewSchema', () => {
  it('numbers the columns and shows the schema as it came', () => {
    const stored = checkNewSchema({ fields: [title, year] });
    expect(stored.fields.map((field) => field.column)).toEqual([1, 2]);
    expect(shownSchema(stored)).toEqual({ fields: [title, year] });
  });

  it('shows the language that was given, and none where none was', () => {
    expect(shownSchema(checkNewSchema({ fields: [title], language: 'english' })).language).toBe('english');
    expect(shownSchema(checkNewSchema({ fields: [title] }))).not.toHaveProperty('language');
  });

  it.each(['a-b', '1a', '', 'a b', 'ä', 'id', 'updatedAt', 'or', '__proto__', 'a'.repeat(64)])(
    'refuses the name %j',
    (name) => {
      expect(() => checkNewSchema({ fields: [{ name, type: 'string' }] })).toThrow(refusal('schema.fields[0].name'));
    },
  );

  it('refuses a default that the enum does not have', () => {
    expect(() => checkNewSchema({ fields: [{ name: 'a', type: 'integer', enum: [1], default: 2 }] })).toThrow(
      refusal('schema.fields[0].default'),
    );
  });
});

describe('extendSchema', () => {
  const current = checkNewSchema({ fields: [title, year] });

  it('gives a new field a column of its own, wherever it stands in the list', () => {
    const { schema, added } = extendSchema(current, { fields: [{ name: 'tags', type: 'string[]' }, year, title] });
    expect(added.map((field) => [field.name, field.column])).toEqual([['tags', 3]]);
    expect(schema.fields.map((field) => [field.name, field.column])).toEqual([
      ['tags', 3],
      ['year', 2],
      ['title', 1],
    ]);
  });

  it('takes a flag that is false for one that is not there', () => {
    expect(extendSchema(current, { fields: [{ ...title, unique: false }, year] }).added).toEqual([]);
  });

  it('takes English said and unsaid for the same', () => {
    expect(extendSchema(current, { fields: [title, year], language: 'english' }).schema).not.toHaveProperty('language');
    expect(() => extendSchema(current, { fields: [title, year], language: 'german' })).toThrow(
      refusal('schema.language'),
    );
  });

  it.each<[string, DatasetField[]]>([
    ['a field that is missing', [title]],
    ['another type', [title, { ...year, type: 'number' }]],
    ['another default', [title, { name: 'year', type: 'integer', indexed: true }]],
    ['a new required field', [title, year, { name: 'isbn', type: 'string', required: true }]],
  ])('refuses %s', (_name, fields) => {
    expect(() => extendSchema(current, { fields })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
