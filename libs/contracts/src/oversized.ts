import { Field } from './fields/field';
import { f } from './fields/spec';

/**
 * Of a record that was stored before its field had a limit, and is over it. Up to four times the limit it is used as it
 * is, and may be changed in its other fields; beyond that the field is not read any more, and shown empty.
 */
export class Oversized {
  @Field(f.text(), { description: 'The field.', example: 'steps' }) path!: string;
  @Field(f.int({ min: 0 }), { description: 'Of the field, as JSON.' }) bytes!: number;
  @Field(f.int({ min: 0 })) limit!: number;
}
