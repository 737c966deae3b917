import { type CodeKeywordDefinition, type KeywordCxt, _ } from 'ajv/dist/2020';
import { useFunc } from 'ajv/dist/compile/util';
import ucs2length from 'ajv/dist/runtime/ucs2length';

type LengthKeyword = CodeKeywordDefinition & { keyword: string };

const lengthKeyword = (keyword: string, code: CodeKeywordDefinition['code']): LengthKeyword => ({
  keyword,
  // Reports an empty text as empty rather than as not matching.
  before: 'pattern',
  type: 'string',
  schemaType: 'number',
  error: { message: keyword, params: ({ schemaCode }: Pick<KeywordCxt, 'schemaCode'>) => _`{limit: ${schemaCode}}` },
  code,
});

/**
 * Characters are counted only if the UTF-16 length does not decide: ajv's counting of eight megabytes would block the
 * event loop.
 */
export const LENGTH_KEYWORDS: readonly LengthKeyword[] = [
  lengthKeyword('maxLength', (check) => {
    const { data, schemaCode: most } = check;
    const count = _`${useFunc(check.gen, ucs2length)}(${data})`;
    check.fail(_`${data}.length > ${most} && (${data}.length > 2 * ${most} || ${count} > ${most})`);
  }),
  lengthKeyword('minLength', (check) => {
    const { data, schemaCode: least } = check;
    const count = _`${useFunc(check.gen, ucs2length)}(${data})`;
    check.fail(_`${data}.length < 2 * ${least} && (${data}.length < ${least} || ${count} < ${least})`);
  }),
];
