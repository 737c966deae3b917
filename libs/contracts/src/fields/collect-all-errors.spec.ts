import { AppError, type ErrorDetail } from '@switchyard/kernel';
import { Field } from './field';
import { f } from './field-schema';
import { checkRequest } from './validate';

class Part {
  @Field(f.text({ min: 1 })) word!: string;
}

class Body {
  @Field(f.text({ min: 1, max: 3 })) name!: string;
  @Field(f.int({ min: 1 })) limit!: number;
  @Field(f.bool(), { optional: true }) isOpen?: boolean;
  @Field(f.object(() => Part), { optional: true, nullable: true }) part?: Part | null;
  @Field(f.list(f.text({ min: 1 })), { optional: true }) tags?: string[];
}

function refusalOf(value: object): AppError {
  try {
    checkRequest(Body, value);
  } catch (error) {
    return error as AppError;
  }
  throw new Error('the value was taken');
}

const paths = ({ details = [] }: AppError): string[] => details.map(({ path }: ErrorDetail) => path);

describe('a refused body', () => {
  it('reports a single error in the same words', () => {
    const refused = refusalOf({ name: 'Grace', limit: 1 });
    expect([refused.code, refused.message]).toEqual(['VALIDATION_ERROR', 'name must have at most 3 characters.']);
    expect(refused.details).toEqual([{ path: 'name', message: 'must have at most 3 characters' }]);
  });

  it('reports everything missing, unknown or wrong', () => {
    const refused = refusalOf({ limit: 0, isOpen: 'yes', extra: 1 });
    expect(paths(refused).sort()).toEqual(['extra', 'isOpen', 'limit', 'name']);
    for (const sentence of [
      'name is required.',
      'limit must be at least 1.',
      'isOpen must be true or false.',
      'extra is not a known field.',
    ])
      expect(refused.message).toContain(sentence);
  });

  it('names five faults at most', () => {
    const tags = Array<string>(9).fill('');
    expect(paths(refusalOf({ name: 'Ada', limit: 1, tags }))).toEqual([0, 1, 2, 3, 4].map((at) => `tags[${at}]`));
  });

  it('names a field once, where several rules are broken in it', () => {
    expect(paths(refusalOf({ name: '', limit: 1, part: { word: 1 } })).sort()).toEqual(['name', 'part.word']);
    expect(paths(refusalOf({ name: 'Ada', limit: 1, part: { word: '' } }))).toEqual(['part.word']);
  });

  it('reports only the first error of a large value', () => {
    const tags = Array<string>(100_000).fill('a');
    expect(paths(refusalOf({ name: 1, limit: 0, tags }))).toHaveLength(1);
  });
});
