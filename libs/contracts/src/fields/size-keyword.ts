import { type Code, type CodeKeywordDefinition, _ } from 'ajv/dist/2020';
import { MAX_BYTES, isOverBytes } from './json-size';

/** Applies to any type, so it runs before the rules for lists and objects: oversized values are not inspected. */
export const sizeKeyword = (code?: Code): CodeKeywordDefinition & { keyword: string } => ({
  keyword: MAX_BYTES,
  schemaType: 'number',
  error: { message: MAX_BYTES, params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
  code: (check) => {
    const isOver = check.gen.scopeValue('func', { ref: isOverBytes, ...(code ? { code } : {}) });
    check.fail(_`${isOver}(${check.data}, ${check.schemaCode})`);
  },
});
