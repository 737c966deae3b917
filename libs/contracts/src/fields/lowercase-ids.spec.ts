import { Field } from './field';
import { lowerIds } from './lowercase-ids';
import { f } from './field-schema';
import { checkRequest } from './validate';

const LOWER = '01a2b3c4-0000-7000-8000-00000000abcd';
const UPPER = LOWER.toUpperCase();

class Inner {
  @Field(f.id()) agentId!: string;
  @Field(f.text(), { optional: true }) name?: string;
}

class Outer {
  @Field(f.id(), { optional: true, nullable: true }) id?: string | null;
  @Field(f.list(f.id(), { unique: true }), { optional: true }) userIds?: string[];
  @Field(f.list(f.object(() => Inner)), { optional: true }) list?: Inner[];
  @Field(f.record<string>(1000, f.id()), { optional: true }) byName?: Record<string, string>;
  @Field(f.text(), { optional: true }) text?: string;
  @Field(f.json(1000), { optional: true }) json?: unknown;
}

class WithoutIds {
  @Field(f.text()) text!: string;
}

it('puts ids into lower case, wherever the class has them, and nothing else', () => {
  const value = {
    id: UPPER,
    userIds: [UPPER, LOWER],
    list: [{ agentId: UPPER, name: UPPER }],
    byName: { A: UPPER },
    text: UPPER,
    json: { id: UPPER },
  };
  lowerIds(Outer, value);
  expect(value).toEqual({
    id: LOWER,
    userIds: [LOWER, LOWER],
    list: [{ agentId: LOWER, name: UPPER }],
    byName: { A: LOWER },
    text: UPPER,
    json: { id: UPPER },
  });
  expect(() => {
    checkRequest(Outer, value);
  }).toThrow('userIds must not hold the same item twice');
});

it.each([null, 1, 'x', [], [UPPER], { id: 1 }, { id: null }, { userIds: 'x' }, { list: [null, 3] }, { byName: [] }])(
  'leaves %j to the check',
  (value) => {
    const before = structuredClone(value);
    lowerIds(Outer, value);
    lowerIds(WithoutIds, value);
    expect(value).toEqual(before);
  },
);

it('sets no prototype', () => {
  const value = JSON.parse(`{"byName": {"__proto__": {"a": "${UPPER}"}}}`) as Outer;
  lowerIds(Outer, value);
  expect(Object.getPrototypeOf(value.byName)).toBe(Object.prototype);
});
