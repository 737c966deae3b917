import { SingleFlight } from '@switchyard/concurrency';
import type { JsonObject } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { type CompiledSchema, compileSchema } from './compile-schema';

/** Memory of all cached schemas: thousands of common ones, or a dozen of the largest. */
const CACHE_BYTES = 16 * 1024 * 1024;
const REFUSED_BYTES = 1000;

/** Cache of compiled user schemas, limited by their memory. */
export class CompiledSchemaCache {
  private readonly cache: LRUCache<string, CompiledSchema>;
  private readonly compiling = new SingleFlight<CompiledSchema>();

  /** `subject` names the value in problems. */
  constructor(
    private readonly subject: string,
    maxBytes = CACHE_BYTES,
  ) {
    this.cache = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (compiled) => ('weight' in compiled ? compiled.weight : REFUSED_BYTES),
    });
  }

  get size(): number {
    return this.cache.calculatedSize;
  }

  find(fingerprint: string): CompiledSchema | undefined {
    return this.cache.get(fingerprint);
  }

  /** Concurrent calls for the same schema share one compilation. */
  compile(fingerprint: string, schema: JsonObject): CompiledSchema | Promise<CompiledSchema> {
    return (
      this.cache.get(fingerprint) ??
      this.compiling.run(fingerprint, async () => {
        const compiled = await compileSchema(schema, this.subject);
        this.cache.set(fingerprint, compiled);
        return compiled;
      })
    );
  }
}
