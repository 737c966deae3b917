import { type CodeKeywordDefinition, type KeywordCxt, _ } from 'ajv/dist/2020';
import { useFunc } from 'ajv/dist/compile/util';
import ucs2length from 'ajv/dist/runtime/ucs2length';

const params = ({ schemaCode }: Pick<KeywordCxt, 'schemaCode'>) => _`{limit: ${schemaCode}}`;
const lengthKeyword = (keyword: string, code: CodeKeywordDefinition['code']): CodeKeywordDefinition => ({
  keyword,
  // What is empty is told before what has another form.
  before: 'pattern',
  type: 'string',
  schemaType: 'number',
  error: { message: keyword, params },
  code,
});

/**
 * A character takes one or two units of a text. The library counts characters one by one; here a text is counted only
 * where its length, which is known, does not answer: to count eight megabytes holds the event loop.
 */
export const LENGTH_KEYWORDS: readonly CodeKeywordDefinition[] = [
  lengthKeyword('maxLength', (check) => {
    const { data, schemaCode: most } = check;
    check.fail(_`${data}.length > ${most} && ${useFunc(check.gen, ucs2length)}(${data}) > ${most}`);
  }),
  lengthKeyword('minLength', (check) => {
    const { data, schemaCode: least } = check;
    check.fail(_`${data}.length < 2 * ${least} && ${useFunc(check.gen, ucs2length)}(${data}) < ${least}`);
  }),
];
