import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

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
  @Field(f.json(SIZES.body), { description: 'The line as JSON, or the cells of a CSV row by column name.' })
  value!: unknown;
}

/** Parts are numbered from 0 and sent in order; a repeated part is ignored. */
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

@Described('Outcome of a small import.')
export class Imported {
  @Field(f.int({ min: 0 }), { description: 'Number of inserted records.' }) inserted!: number;
}

export const IMPORT_PHASES = ['QUEUED', 'RUNNING', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type ImportPhase = (typeof IMPORT_PHASES)[number];

@Described('Why an import failed.')
export class ImportFailure {
  @Field(f.text(), { description: 'Error code.' }) code!: string;
  @Field(f.text(), { description: 'Message for people.' }) message!: string;
}

@Described('A large import: validated at the end of the upload, then written atomically in the background.')
export class ImportJobView {
  @Field(f.id()) id!: string;
  @Field(f.id()) datasetId!: string;
  @Field(f.oneOf(IMPORT_FORMATS), { description: 'Format of the file.' }) format!: ImportFormat;
  @Field(f.oneOf(IMPORT_PHASES), { description: 'Phase of the import.' }) phase!: ImportPhase;
  @Field(f.number({ min: 0, max: 100 }), { description: 'Never goes back.' }) progress!: number;
  @Field(f.int({ min: 0 }), { description: 'Records in the file.' }) records!: number;
  @Field(f.int({ min: 0 }), { description: 'Records that are in the dataset now: all of them or none.' })
  inserted!: number;
  @Field(f.object(() => ImportFailure), { nullable: true }) error!: ImportFailure | null;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
  @Field(f.time(), { nullable: true, description: 'Time at which it was asked to stop; null if it was not.' })
  cancelRequestedAt!: string | null;
}

/** Outcome of an upload: written, or queued as a job. */
export class ImportEnd {
  @Field(f.object(() => Imported), { nullable: true }) imported!: Imported | null;
  @Field(f.object(() => ImportJobView), { nullable: true }) job!: ImportJobView | null;
}

export class ImportOfDataset extends ImportById {
  @Field(f.id()) datasetId!: string;
}

export class ImportsOfDataset extends PageRequest {
  @Field(f.id()) datasetId!: string;
}
