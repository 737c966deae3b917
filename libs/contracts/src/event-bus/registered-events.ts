import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { Oversized } from '../oversized-fields';
import { EmitOn } from './manifest';

@Described('An event that an installed application declares.')
export class RegisteredEventView {
  @Field(f.id()) id!: string;
  @Field(f.id(), { nullable: true }) applicationId!: string | null;
  @Field(f.text()) appIdentifier!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'JSON Schema of the payload.' }) schema!: JsonObject;
  @Field(f.list(f.text()), {
    optional: true,
    description: 'JSON pointers to formats in an older schema that are not checked.',
  })
  uncheckedFormats?: string[];
  @Field(f.object(() => EmitOn), {
    nullable: true,
    description: 'Writes to a dataset that emit the event; null for none.',
  })
  emitOn!: EmitOn | null;
  @Field(f.bool(), { description: 'Whether the application still declares the event.' }) active!: boolean;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

export class ListRegisteredEvents extends PageRequest {
  @Field(f.text({ min: 1, max: 63 }), { optional: true, description: 'Only events of this application.' })
  appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), { optional: true, description: 'Only the event with this name.' }) name?: string;
  @Field(f.queryBool(), { optional: true, description: 'false leaves out what belongs to the platform itself.' })
  platform?: boolean;
}
