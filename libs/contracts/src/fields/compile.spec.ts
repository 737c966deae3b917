import 'reflect-metadata';
import { Field } from './field';
import { f } from './spec';
import { validatorOf } from './validate';

class Said {
  @Field(f.text({ min: 1, max: 3 })) name!: string;
  @Field(f.text({ min: 12 })) password!: string;
  @Field(f.list(f.text(), { max: 1 })) tags!: string[];
}

const good = { name: 'Ada', password: 'x'.repeat(12), tags: ['a'] };

test.each([
  [{ name: '' }, 'name', 'must not be empty'],
  [{ name: 'Grace' }, 'name', 'must have at most 3 characters'],
  [{ password: 'short' }, 'password', 'must have at least 12 characters'],
  [{ tags: ['a', 'b'] }, 'tags', 'must have at most 1 item'],
])('a person is told how long a value may be: %j', (wrong, path, message) => {
  const check = validatorOf(Said, { closed: true });
  expect(check(good)).toBeNull();
  expect(check({ ...good, ...wrong })).toEqual([{ path, message }]);
});
