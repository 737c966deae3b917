import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { Field, fieldsOf } from './field';
import { Class, f } from './field-schema';
import { validatorOf } from './validate';
import { allContracts } from '../all-contracts';

class Inner {
  @Field(f.text({ min: 2, max: 4 })) word!: string;
}

class Everything {
  @Field(f.id()) id!: string;
  @Field(f.text({ max: 3, pattern: '^[a-z]*$', allows: 'must be lower-case letters' })) text!: string;
  @Field(f.int({ min: 1, max: 5 })) int!: number;
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) number?: number;
  @Field(f.bool(), { optional: true }) bool?: boolean;
  @Field(f.oneOf(['A', 'B'] as const), { nullable: true }) choice!: 'A' | 'B' | null;
  @Field(f.time(), { optional: true, nullable: true }) time?: string | null;
  @Field(
    f.list(
      f.object(() => Inner),
      { max: 2 },
    ),
    { optional: true },
  )
  list?: Inner[];
  @Field(f.object(() => Inner), { optional: true }) inner?: Inner;
  @Field(f.record(1000, f.int()), { optional: true }) record?: Record<string, number>;
  @Field(f.json(1000), { optional: true }) json?: unknown;
}

const good = { id: '01900000-0000-7000-8000-000000000000', text: 'abc', int: 3, choice: 'A' };

/** Result of class-validator, which runs the declared rules of every class. */
function byDeclaration(type: Class, value: object): boolean {
  // oxlint-disable-next-line no-restricted-properties -- any class and any value: there are no fields to map by name
  const instance = Object.assign(new type(), value);
  return (
    validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true }).length === 0
  );
}

const byCompiled = (type: Class, value: object): boolean => validatorOf(type, { closed: true })(value) === null;

const corpus: [string, object][] = [
  ['a whole value', good],
  [
    'every optional field',
    {
      ...good,
      number: 0.5,
      bool: true,
      time: '2026-01-01T00:00:00.000Z',
      list: [{ word: 'ab' }],
      inner: { word: 'abcd' },
      record: { a: 1 },
      json: [1],
    },
  ],
  ['null where it is allowed', { ...good, choice: null, time: null }],
  ['null where it is not', { ...good, text: null }],
  ['null for an optional field', { ...good, inner: null }],
  ['a missing field', { ...good, id: undefined }],
  ['a number as text', { ...good, int: '3' }],
  ['a fraction as integer', { ...good, int: 1.5 }],
  ['a number out of range', { ...good, int: 6 }],
  ['a huge integer', { ...good, int: 1e21 }],
  ['a text too long', { ...good, text: 'abcd' }],
  ['a text of another form', { ...good, text: 'A' }],
  ['a malformed id', { ...good, id: 'x' }],
  ['an unknown choice', { ...good, choice: 'C' }],
  ['a list in a list', { ...good, list: [[{ word: 'ab' }]] }],
  ['null in a list', { ...good, list: [null] }],
  ['too many items', { ...good, list: [{ word: 'ab' }, { word: 'ab' }, { word: 'ab' }] }],
  ['a list for an object', { ...good, inner: [] }],
  ['an unknown field', { ...good, more: 1 }],
  ['an unknown field further in', { ...good, inner: { word: 'ab', more: 1 } }],
  ['a wrong value in a record', { ...good, record: { a: 'x' } }],
  ['a malformed time', { ...good, time: 'yesterday' }],
];

describe('one declaration, two ways to check it', () => {
  test.each(corpus)('they agree on %s', (_name, value) => {
    const defined = Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
    expect(byCompiled(Everything, defined)).toBe(byDeclaration(Everything, defined));
  });

  test('the corpus holds values of both kinds', () => {
    const verdicts = corpus.map(([, value]) => byCompiled(Everything, value));
    expect(verdicts.filter(Boolean).length).toBeGreaterThanOrEqual(3);
    expect(verdicts.filter((verdict) => !verdict).length).toBeGreaterThanOrEqual(15);
  });
});

describe('every contract of the house', () => {
  const contracts = allContracts();

  test('has a subject of its own', () => {
    const names = contracts.map((contract) => ('subject' in contract ? contract.subject : contract.name));
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });

  test('compiles, and rejects values that are not objects', () => {
    const types = contracts.flatMap((contract) =>
      contract.kind === 'call'
        ? [contract.request, contract.reply]
        : contract.kind === 'stream'
          ? [contract.request]
          : [contract.data],
    );
    for (const type of types) {
      expect(fieldsOf(type)).toBeDefined();
      for (const wrong of [null, [], 'x', 1]) expect(validatorOf(type, { closed: true })(wrong)).not.toBeNull();
    }
  });
});
