import { dropUnknownFields } from './drop-unknown';
import { Field } from './field';
import { f } from './field-schema';
import { checkRequest } from './validate';

class NestedPart {
  @Field(f.text({ max: 10 })) name!: string;
}

class WholeRequest {
  @Field(f.object(() => NestedPart), { nullable: true }) one!: NestedPart | null;
  @Field(f.list(f.object(() => NestedPart))) list!: NestedPart[];
  @Field(f.json(1000), { optional: true }) free?: unknown;
}

describe('fields that the receiver does not know', () => {
  it('are removed from objects, nullable objects and lists', () => {
    const value = { one: { name: 'a', more: 1 }, list: [{ name: 'b', more: {} }], more: [] };
    dropUnknownFields(WholeRequest, value);
    expect(value).toEqual({ one: { name: 'a' }, list: [{ name: 'b' }] });
    checkRequest(WholeRequest, value);
  });

  it('stay in free-form values', () => {
    const value = { one: null, list: [], free: { any: { more: 1 } } };
    dropUnknownFields(WholeRequest, value);
    expect(value.free).toEqual({ any: { more: 1 } });
  });

  it.each([null, 'text', 7, [], [{ more: 1 }]])('do not matter for %j, which the check refuses', (value) => {
    dropUnknownFields(WholeRequest, value);
    expect(() => {
      checkRequest(WholeRequest, value);
    }).toThrow();
  });
});
