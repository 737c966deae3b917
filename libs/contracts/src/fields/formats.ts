import { fullFormats } from 'ajv-formats/dist/formats';
import { isDateTime } from './date-time';

/** What `format` may say in a field. Checks that a build has made read it here by this name. */
export const formats = { ...fullFormats, 'date-time': isDateTime };

/** @public For checks that a build has made, which know this module alone. */
export { isOverBytes } from './size';
