import 'reflect-metadata';
import { AppError } from '@switchyard/kernel';
import { allContracts } from './all-contracts';
import { Field, schemaOf } from './fields/field';
import { PLATFORM_WRITTEN } from './fields/json-size';
import { f } from './fields/field-schema';
import { unbounded } from './fields/find-unbounded-fields';
import { checkOpen, checkRequest } from './fields/validate';

class Item {
  @Field(f.json(10), { optional: true, nullable: true }) value?: unknown;
}

class Request {
  @Field(f.record(20), { optional: true, nullable: true }) metadata?: object | null;
  @Field(
    f.list(
      f.object(() => Item),
      { max: 10, bytes: 40 },
    ),
    { optional: true },
  )
  items?: Item[];
  @Field(f.json(PLATFORM_WRITTEN), { optional: true }) ours?: unknown;
}

const refusalOf = (value: unknown): unknown => {
  try {
    checkRequest(Request, value);
    return null;
  } catch (error) {
    return (error as AppError).details;
  }
};

describe('the size of a value of free form', () => {
  it('is that of its compact JSON in UTF-8', () => {
    expect(refusalOf({ metadata: { a: 'x'.repeat(12) } })).toBeNull();
    expect(refusalOf({ metadata: { a: 'x'.repeat(13) } })).toEqual([
      { path: 'metadata', message: 'must be at most 20 bytes as JSON' },
    ]);
    expect(refusalOf({ metadata: { a: 'é'.repeat(6) } })).toBeNull();
    expect(refusalOf({ metadata: { a: 'é'.repeat(7) } })).not.toBeNull();
  });

  it('counts also within lists, and for a list as a whole', () => {
    expect(refusalOf({ items: [{ value: 'x'.repeat(8) }] })).toBeNull();
    expect(refusalOf({ items: [{}, { value: 'x'.repeat(9) }] })).toEqual([
      { path: 'items[1].value', message: 'must be at most 10 bytes as JSON' },
    ]);
    expect(refusalOf({ items: Array(2).fill({ value: 'xxx' }) })).toBeNull();
    expect(refusalOf({ items: Array(3).fill({ value: 'xxx' }) })).toEqual([
      { path: 'items', message: 'must be at most 40 bytes as JSON' },
    ]);
  });

  it('lets null pass where it is allowed', () => {
    expect(refusalOf({ metadata: null, items: [{ value: null }] })).toBeNull();
  });

  it('comes before all that looks into the value', () => {
    const looked = jest.fn();
    const deep = Object.defineProperty({}, 'value', { enumerable: true, get: looked });
    expect(refusalOf({ items: [{ value: 'x'.repeat(100) }, deep] })).toEqual([
      { path: 'items', message: 'must be at most 40 bytes as JSON' },
    ]);
  });

  it("does not apply to the platform's own messages: stored values may be older than their limit", () => {
    const large = { metadata: { a: 'x'.repeat(1000) }, items: [{ value: 'x'.repeat(1000) }] };
    expect(() => {
      checkOpen(Request, large);
    }).not.toThrow();
    expect(refusalOf({ ours: 'x'.repeat(1000) })).toBeNull();
  });

  it('is shown in the schema of a request', () => {
    expect(schemaOf(Request)).toMatchObject({ properties: { metadata: { 'x-max-bytes': 20 } } });
  });
});

describe('requests', () => {
  it('has no field of free form and no list without a size', () => {
    const outside = allContracts().filter((contract) => contract.kind === 'call' || contract.kind === 'stream');
    const called = outside.filter((contract) => contract.callers.includes('gateway'));
    expect(called.length).toBeGreaterThan(50);
    expect(called.flatMap(({ subject, request }) => unbounded(schemaOf(request), subject))).toEqual([]);
  });

  it('is found where it has none', () => {
    expect(unbounded(schemaOf(Request), 'request')).toEqual(['request.ours']);
  });
});
