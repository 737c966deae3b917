import { type Code, type CodeKeywordDefinition, _ } from 'ajv/dist/2020';
import { MAX_BYTES, isOverBytes } from './size';

/** It names no type, so it comes before the rules for lists and objects: what is too large is not looked into. */
export const sizeKeyword = (code?: Code): CodeKeywordDefinition & { keyword: string } => ({
  keyword: MAX_BYTES,
  schemaType: 'number',
  error: { message: MAX_BYTES, params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
  code: (check) => {
    const isOver = check.gen.scopeValue('func', { ref: isOverBytes, ...(code ? { code } : {}) });
    check.fail(_`${isOver}(${check.data}, ${check.schemaCode})`);
  },
});
