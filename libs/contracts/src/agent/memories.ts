import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

/** Longer memories are truncated if an agent saves them, and rejected from the API. */
export const MEMORY_TEXT_MAX = 2000;

@Described('A memory of an agent about one user, given to the model in later turns of that user.')
export class MemoryView {
  @Field(f.id()) id!: string;
  @Field(f.id()) agentId!: string;
  @Field(f.id(), { description: 'The user whom it is about.' }) userId!: string;
  @Field(f.text(), { description: 'Text of the memory.' }) text!: string;
  @Field(f.id(), { nullable: true, description: 'The turn that saved it; null where that was not recorded.' })
  turnId!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
}

export class MemoryPageRequest extends PageRequest {
  @Field(f.queryBool(), { optional: true, description: 'The memories about every user; for ADMIN and up.' })
  allUsers?: boolean;
}

export class ListMemories extends MemoryPageRequest {
  @Field(f.id()) agentId!: string;
}

export class MemoryById {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) memoryId!: string;
}

@Described('The corrected text of a memory.')
export class MemoryCorrection {
  @Field(f.text({ min: 1, max: MEMORY_TEXT_MAX }), { description: 'Replaces what was there; not blank.' })
  text!: string;
}

export class CorrectMemory extends MemoryCorrection {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) memoryId!: string;
}

@Described('Number of deleted memories.')
export class DeletedMemories {
  @Field(f.int({ min: 0 }), { description: 'How many there were.' }) deleted!: number;
}
