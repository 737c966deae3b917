import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';

export class DefaultTask {
  @Field(f.id(), { description: 'Chosen by the event bus, so that creating it twice is creating it once.' })
  taskId!: string;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'As the body of POST /tasks.' }) body!: JsonObject;
}

/**
 * The tasks of an application after an installation, upgrade or removal. Idempotent. A task that a user has changed
 * belongs to the user: it is neither updated nor removed; `release` gives the named tasks to the user unchanged.
 * Revisions older than a task's last one are ignored.
 */
export class DefaultTasks {
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) applicationId!: string;
  @Field(f.int({ min: 0 })) revision!: number;
  @Field(f.id(), { nullable: true, description: 'Who installed the application: the owner of what is created.' })
  ownerId!: string | null;
  @Field(
    f.list(
      f.object(() => DefaultTask),
      { max: 200 },
    ),
  )
  ensure!: DefaultTask[];
  @Field(f.list(f.id(), { max: 1000 })) remove!: string[];
  @Field(f.list(f.id(), { max: 1000 })) release!: string[];
  @Field(f.list(f.id(), { max: 1000 }), {
    optional: true,
    description: 'All other tasks of the application go: what a change that was cut off has left.',
  })
  keepOnly?: string[];
  @Field(f.int({ min: 0 }), {
    optional: true,
    description: 'Of the others, those that this revision or an earlier one brought stay: users may use them.',
  })
  keepUpTo?: number;
}
