import { Field } from '../fields/field';
import { f } from '../fields/spec';

export const IMPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export class BeginImport {
  @Field(f.id()) datasetId!: string;
  @Field(f.oneOf(IMPORT_FORMATS)) format!: ImportFormat;
}

export class ImportBegun {
  @Field(f.id()) importId!: string;
}

export class ImportLine {
  @Field(f.int({ min: 1 }), { description: 'Where in the file it began, from 1.' }) line!: number;
  @Field(f.json(), { description: 'The line as JSON, or the cells of a CSV row by column name.' }) value!: unknown;
}

/** Parts are numbered from 0 and sent in order; one that was sent already is ignored. */
export class AppendImport {
  @Field(f.id()) importId!: string;
  @Field(f.int({ min: 0 })) part!: number;
  @Field(
    f.list(
      f.object(() => ImportLine),
      { min: 1, max: 1000 },
    ),
  )
  lines!: ImportLine[];
}

export class ImportById {
  @Field(f.id()) importId!: string;
}

export class ImportProgress {
  @Field(f.int({ min: 0 })) staged!: number;
}

export class Imported {
  @Field(f.int({ min: 0 })) inserted!: number;
}
