import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

export class EmbeddingsOfDataset {
  @Field(f.id()) datasetId!: string;
}

@Described('A text whose embedding failed several times. It is retried with increasing delays, up to a limit.')
export class EmbeddingFailure {
  @Field(f.id(), { description: 'Id of the record.' }) recordId!: string;
  @Field(f.text(), { description: 'The field with the text.' }) field!: string;
  @Field(f.int({ min: 0 }), { description: 'Number of attempts.' }) attempts!: number;
  @Field(f.text(), { nullable: true, description: 'Why the last attempt failed.' }) code!: string | null;
  @Field(f.text(), { nullable: true, description: 'Message of the last failure.' }) message!: string | null;
  @Field(f.time(), { nullable: true, description: 'When it is tried again; null: not by itself.' })
  retryAt!: string | null;
}

@Described('Texts of a dataset that wait for their vectors, and those that failed.')
export class EmbeddingsView {
  @Field(f.int({ min: 0 }), { description: 'Texts that wait for their vectors, counted up to 100,000.' })
  pending!: number;
  @Field(f.int({ min: 0 }), { description: 'Texts that failed three times or more, counted up to 100,000.' })
  failed!: number;
  @Field(f.list(f.object(() => EmbeddingFailure)), { description: 'The first 50 of those that failed.' })
  failures!: EmbeddingFailure[];
}

@Described('Number of texts that are embedded again.')
export class EmbeddingsRetried {
  @Field(f.int({ min: 0 }), { description: 'Texts that are tried again now: at most 10,000.' }) retried!: number;
}
