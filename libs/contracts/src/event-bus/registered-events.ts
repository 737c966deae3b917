import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { OURS } from '../fields/size';
import { f } from '../fields/spec';
import { Oversized } from '../oversized';
import { EmitOn } from './manifest';

export class RegisteredEventView {
  @Field(f.id()) id!: string;
  @Field(f.id(), { nullable: true }) applicationId!: string | null;
  @Field(f.text()) appIdentifier!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.record(OURS)) schema!: JsonObject;
  @Field(f.list(f.text()), {
    optional: true,
    description: 'Where the schema, stored before, asks for formats that are not checked: as JSON pointers.',
  })
  uncheckedFormats?: string[];
  @Field(f.object(() => EmitOn), { nullable: true }) emitOn!: EmitOn | null;
  @Field(f.bool()) active!: boolean;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

export class ListRegisteredEvents extends PageRequest {
  @Field(f.text({ min: 1, max: 63 }), { optional: true }) appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), { optional: true }) name?: string;
}
