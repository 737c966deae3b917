import { f, Field, MEMORY_TEXT_MAX, PageRequest } from '@switchyard/contracts';

export class MemoryPageRequest extends PageRequest {
  @Field(f.queryBool(), { optional: true, description: 'The memories about every user; for ADMIN and up.' })
  allUsers?: boolean;
}

export class MemoryCorrection {
  @Field(f.text({ min: 1, max: MEMORY_TEXT_MAX }), { description: 'Replaces what was there; not blank.' })
  text!: string;
}
