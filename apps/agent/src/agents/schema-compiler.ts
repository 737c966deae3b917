import { Injectable } from '@nestjs/common';
import { type ErrorDetail, fingerprint, invalid, type JsonObject } from '@switchyard/kernel';
import { type CompiledSchema, CompiledSchemaCache } from '@switchyard/schemas';
import { Metrics } from '@switchyard/service';

/** JSON Schemas of users: compiled once, never allowed to fetch anything or to hold the process. */
@Injectable()
export class SchemaCompiler {
  private readonly compiled = new CompiledSchemaCache('the value');

  constructor(metrics: Metrics) {
    metrics.gauge(
      'switchyard_compiled_schemas_bytes',
      'Estimated memory of the compiled JSON Schemas of users.',
      [],
      (gauge) => {
        gauge.set(this.compiled.size);
      },
    );
  }

  /** Refuses what is no JSON Schema, or one over the limits of new ones. */
  async checkNew(schema: JsonObject, path: string): Promise<void> {
    const compiled = await this.compile(schema);
    refuse(path, 'problems' in compiled ? compiled.problems : compiled.refusals);
  }

  /** Refuses what cannot be used at all: a schema that is stored goes on up to a multiple of the limits. */
  async checkStored(schema: JsonObject, path: string): Promise<void> {
    const compiled = await this.compile(schema);
    refuse(path, 'problems' in compiled ? compiled.problems : []);
  }

  /** The validation error of a value in one line, or null. */
  async problem(schema: JsonObject, value: unknown): Promise<string | null> {
    const compiled = await this.compile(schema);
    const [first] = 'check' in compiled ? compiled.check(value) : compiled.problems;
    return first ? `${first.path} ${first.message}` : null;
  }

  private compile(schema: JsonObject): CompiledSchema | Promise<CompiledSchema> {
    const name = fingerprint(schema);
    const existing = this.compiled.find(name);
    if (existing) return existing;
    // Generators name older dialects, and write what is the same in all of them.
    const { $schema: _, ...ours } = schema;
    return this.compiled.compile(name, ours);
  }
}

function refuse(path: string, [first]: readonly ErrorDetail[]): void {
  if (!first) return;
  const where = first.path ? `is not usable: ${first.path} ` : '';
  throw invalid(path, `${where}${first.message}`.slice(0, 300));
}
