import 'reflect-metadata';
import { Field } from './field';
import { wordsOfPattern } from './pattern-messages';
import { f } from './field-schema';
import { validatorOf } from './validate';

class Sample {
  @Field(f.text({ min: 1, max: 3 })) name!: string;
  @Field(f.text({ min: 12 })) password!: string;
  @Field(f.list(f.text(), { max: 1 })) tags!: string[];
  @Field(f.int({ min: 1, max: 10 })) limit!: number;
  @Field(f.bool()) isOpen!: boolean;
  @Field(f.text(), { nullable: true }) note!: string | null;
  @Field(f.record(1000)) settings!: Record<string, unknown>;
  @Field(f.text({ pattern: '^[^@]+@[^@]+$', allows: 'must be an address' })) email!: string;
}

const good = {
  name: 'Ada',
  password: 'x'.repeat(12),
  tags: ['a'],
  limit: 1,
  isOpen: true,
  note: null,
  settings: {},
  email: 'ada@example.com',
};

test.each([
  [{ name: '' }, 'name', 'must not be empty'],
  [{ name: 'Grace' }, 'name', 'must have at most 3 characters'],
  [{ password: 'short' }, 'password', 'must have at least 12 characters'],
  [{ tags: ['a', 'b'] }, 'tags', 'must have at most 1 item'],
  [{ tags: 'a' }, 'tags', 'must be a list'],
  [{ name: 1 }, 'name', 'must be a string'],
  [{ limit: 1.5 }, 'limit', 'must be an integer'],
  [{ limit: 0 }, 'limit', 'must be at least 1'],
  [{ limit: 11 }, 'limit', 'must be at most 10'],
  [{ isOpen: 'yes' }, 'isOpen', 'must be true or false'],
  [{ note: 1 }, 'note', 'must be a string or null'],
  [{ settings: [] }, 'settings', 'must be an object'],
  [{ email: 'ada' }, 'email', 'must be an address'],
])('the message says which values are allowed: %j', (wrong, path, message) => {
  const check = validatorOf(Sample, { closed: true });
  expect(check(good)).toBeNull();
  expect(check({ ...good, ...wrong })).toEqual([{ path, message }]);
});

test('a pattern without a description is shown, and one has one description only', () => {
  expect(wordsOfPattern('^x+$')).toBe('must match the pattern ^x+$');
  expect(wordsOfPattern(`^${'x'.repeat(300)}$`)).toHaveLength('must match the pattern '.length + 203);
  expect(() => f.text({ pattern: '^[^@]+@[^@]+$', allows: 'must be something else' })).toThrow(/is described as/);
});
