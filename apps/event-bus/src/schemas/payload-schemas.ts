import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@switchyard/kernel';
import { type CompiledSchema, CompiledSchemaCache, type SchemaCheck } from '@switchyard/schemas';
import { Metrics } from '@switchyard/service';

/** Compiles each schema once. A schema is known by its fingerprint, so that no upgrade can meet an old check. */
@Injectable()
export class PayloadSchemas {
  private readonly compiled = new CompiledSchemaCache('payload');

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

  async checkOf(fingerprint: string, load: () => Promise<JsonObject>): Promise<SchemaCheck> {
    const compiled = this.compiled.find(fingerprint);
    return checkOf(compiled ?? (await this.compiled.compile(fingerprint, await load())));
  }
}

/** A schema accepted by an older version may be invalid today: then no payload is valid, and the error says why. */
function checkOf(compiled: CompiledSchema): SchemaCheck {
  if ('check' in compiled) return compiled.check;
  const problems = compiled.problems.map(({ path, message }) => ({ path: `schema${path}`, message }));
  return () => problems;
}
