import 'reflect-metadata';
import { Field, fieldsOf } from './field';
import { PLATFORM_WRITTEN } from './json-size';
import { f } from './field-schema';

class Part {
  @Field(f.int()) size!: number;
}

/** Each marked line must be a compile error; an unused expectation fails the type check. */
class Plants {
  // @ts-expect-error a rule for texts, on a number
  @Field(f.text()) number!: number;
  // @ts-expect-error more values than the type has
  @Field(f.oneOf(['A', 'B', 'C'])) choice!: 'A' | 'B';
  // @ts-expect-error may be missing by its rule, and not by its type
  @Field(f.int(), { optional: true }) missable!: number;
  // @ts-expect-error may be missing by its type, and not by its rule
  @Field(f.int()) required?: number;
  // @ts-expect-error may be null by its rule, and not by its type
  @Field(f.int(), { nullable: true }) nullable!: number;
  // @ts-expect-error may be null by its type, and not by its rule
  @Field(f.int()) never!: number | null;
  // @ts-expect-error a list of other items
  @Field(f.list(f.text())) list!: number[];
  // @ts-expect-error a record of other values
  @Field(f.record(PLATFORM_WRITTEN, f.int())) record!: Record<string, string>;
  // @ts-expect-error an object of another class
  @Field(f.object(() => Part)) part!: { size: string };
  // @ts-expect-error a default that the rule would refuse
  @Field(f.int(), { optional: true, default: 'ten' }) limit?: number;
}

class Fitting {
  @Field(f.text()) text!: string;
  @Field(f.oneOf(['A', 'B']), { nullable: true }) choice!: 'A' | 'B' | null;
  @Field(f.list(f.object(() => Part)), { optional: true, default: [] }) parts?: Part[];
  @Field(f.record(PLATFORM_WRITTEN, f.bool()), { optional: true, nullable: true }) flags?: Record<
    string,
    boolean
  > | null;
  @Field(f.json(PLATFORM_WRITTEN)) anything: unknown;
  @Field(f.json(PLATFORM_WRITTEN), { optional: true }) shaped?: { a: number };
}

describe('the rule of a field', () => {
  it('compiles where it fits its property, and nowhere else', () => {
    expect(fieldsOf(Plants)).toHaveLength(10);
    expect(fieldsOf(Fitting)).toHaveLength(6);
  });
});
