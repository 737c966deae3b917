import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { TASK_TYPES, type TaskType } from './task-field-types';

export class DescribeTasks {
  @Field(f.id()) spaceId!: string;
  @Field(f.list(f.id(), { max: 10_000 })) taskIds!: string[];
}

/** A task for the event bus: events start active tasks of type EVENT. */
export class EventTask {
  @Field(f.id()) taskId!: string;
  @Field(f.oneOf(TASK_TYPES)) type!: TaskType;
  @Field(f.bool()) active!: boolean;
  @Field(f.bool(), { optional: true, description: 'Came with an application, and no user has changed it.' })
  isDefault?: boolean;
}

export class TaskNamed {
  @Field(f.id()) taskId!: string;
}

/** Outcome of a delivery. FAILED: the task was deleted. */
export const TRIGGER_OUTCOMES = ['TRIGGERED', 'SKIPPED', 'FAILED'] as const;
export type TriggerOutcome = (typeof TRIGGER_OUTCOMES)[number];

/** Outcome of a delivery. */
export class TaskTriggered {
  @Field(f.id()) deliveryId!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) envelopeId!: string;
  @Field(f.oneOf(TRIGGER_OUTCOMES)) outcome!: TriggerOutcome;
  @Field(f.id(), { nullable: true }) executionId!: string | null;
}

/** The reply to every arrival of `EventBusEvents.emissionsMatched`. */
export class TasksTriggered {
  @Field(
    f.list(
      f.object(() => TaskTriggered),
      { min: 1, max: 100 },
    ),
  )
  deliveries!: TaskTriggered[];
}
