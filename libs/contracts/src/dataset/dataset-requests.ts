import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { DatasetSchema } from './dataset-view';

@Described('A new dataset.')
export class CreateDataset {
  @Field(f.text({ min: 1, max: 200 }), {
    example: 'Articles',
    description: 'Name of the dataset, unique in the Space.',
  })
  name!: string;
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(f.object(() => DatasetSchema), { description: 'Fields of the records.' }) schema!: DatasetSchema;
}

export class ListDatasets extends PageRequest {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'Part of the name, in any case.' }) q?: string;
}

@Described('Changes of a dataset. Given fields are replaced, the others stay.')
export class ChangeDataset {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'New name.' }) name?: string;
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true, description: 'New description; null removes it.' })
  description?: string | null;
  @Field(f.object(() => DatasetSchema), {
    optional: true,
    description: 'The whole list: every field there is, unchanged, and any new optional ones.',
  })
  schema?: DatasetSchema;
}

export class PatchDataset extends ChangeDataset {
  @Field(f.id()) id!: string;
}
