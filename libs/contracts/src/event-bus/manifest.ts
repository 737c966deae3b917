import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

export const DATA_OPERATIONS = ['insert', 'update', 'delete'] as const;
export type DataOperation = (typeof DATA_OPERATIONS)[number];

export const IDENTIFIER_PATTERN = '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$';
export const EVENT_NAME_PATTERN = '^[A-Za-z0-9_](?:[A-Za-z0-9_.:/-]{0,126}[A-Za-z0-9_])?$';
export const SEMVER_PATTERN =
  '^(?:0|[1-9]\\d{0,8})\\.(?:0|[1-9]\\d{0,8})\\.(?:0|[1-9]\\d{0,8})(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$';

const EVENT_NAME = f.text({
  pattern: EVENT_NAME_PATTERN,
  allows: 'must be 1 to 128 letters, digits and _ . : / -, and begin and end with a letter, a digit or _',
  max: 128,
});

@Described('Writes to a dataset that emit the event.')
export class EmitOn {
  @Field(f.id(), { description: 'The dataset whose writes are emitted.' }) dataset!: string;
  @Field(f.list(f.oneOf(DATA_OPERATIONS), { min: 1, max: 3, unique: true }), {
    description: 'Writes that emit the event.',
  })
  operations!: DataOperation[];
  @Field(f.record(SIZES.filter), { optional: true, description: 'Only rows that fulfil this filter.' })
  filter?: JsonObject;
}

@Described('An event that an application declares.')
export class ManifestEvent {
  @Field(EVENT_NAME, { example: 'order.created', description: 'Name of the event.' }) name!: string;
  @Field(f.text({ max: 2000 }), { optional: true }) description?: string;
  @Field(f.record(SIZES.schema), {
    description:
      'JSON Schema (2020-12) that every payload must fit. Patterns are of the linear kind: no look-around, no back-references.',
  })
  schema!: JsonObject;
  @Field(f.object(() => EmitOn), { optional: true, description: 'Writes to a dataset that emit the event.' })
  emitOn?: EmitOn;
}

@Described('A subscription that comes with the application: to a task of the Space, or to one of the application.')
export class ManifestSubscription {
  @Field(EVENT_NAME, { description: 'Name of the event.' }) event!: string;
  @Field(f.record(SIZES.manifest), { optional: true, description: 'The body of an EVENT task to create.' })
  task?: JsonObject;
  @Field(f.id(), { optional: true, description: 'Or the id of a task that is there already.' }) taskId?: string;
  @Field(f.record(SIZES.filter), { optional: true, description: 'Filter of the subscription.' }) filter?: JsonObject;
  @Field(f.bool(), { optional: true, description: 'Whether the subscription starts executions.' }) active?: boolean;
}

@Described('The declaration of an application.')
export class Manifest {
  @Field(
    f.text({
      pattern: IDENTIFIER_PATTERN,
      allows: 'must be 1 to 63 lower-case letters, digits and -, and not begin or end with -',
      max: 63,
    }),
    { example: 'shop', description: 'Identifier of the application, unique in the Space.' },
  )
  identifier!: string;
  @Field(f.text({ min: 1, max: 200 }), { description: 'Name of the application.' }) name!: string;
  @Field(f.text({ pattern: SEMVER_PATTERN, allows: 'must be a version of three numbers, such as 1.2.0', max: 100 }), {
    example: '1.0.0',
    description: 'Version of the manifest (SemVer).',
  })
  version!: string;
  @Field(
    f.list(
      f.object(() => ManifestEvent),
      { max: 200 },
    ),
    { description: 'Events that the application declares.' },
  )
  events!: ManifestEvent[];
  @Field(
    f.list(
      f.object(() => ManifestSubscription),
      { max: 200 },
    ),
    { optional: true, description: 'Default subscriptions, created on installation.' },
  )
  subscriptions?: ManifestSubscription[];
}
