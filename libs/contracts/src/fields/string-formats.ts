import { fullFormats } from 'ajv-formats/dist/formats';
import { isDateTime } from './date-time';

/** Values of `format`. Precompiled validators read the formats from here by this name. */
export const formats = { ...fullFormats, 'date-time': isDateTime };

/** @public For checks that a build has made, which know this module alone. */
export { isOverBytes } from './json-size';
