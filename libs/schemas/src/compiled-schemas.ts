import type { JsonObject } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { type CompiledSchema, compileSchema } from './compile-schema';

/** Memory of all cached schemas: thousands of common ones, or a dozen of the largest. */
const KEPT_BYTES = 16 * 1024 * 1024;
const REFUSED_BYTES = 1000;

/** Cache of compiled user schemas, limited by their memory. */
export class CompiledSchemas {
  private readonly kept: LRUCache<string, CompiledSchema>;
  private readonly compiling = new Map<string, Promise<CompiledSchema>>();

  /** `subject` names the value in problems. */
  constructor(
    private readonly subject: string,
    maxBytes = KEPT_BYTES,
  ) {
    this.kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (compiled) => ('weight' in compiled ? compiled.weight : REFUSED_BYTES),
    });
  }

  get size(): number {
    return this.kept.calculatedSize;
  }

  find(fingerprint: string): CompiledSchema | undefined {
    return this.kept.get(fingerprint);
  }

  /** Concurrent calls for the same schema share one compilation. */
  compile(fingerprint: string, schema: JsonObject): CompiledSchema | Promise<CompiledSchema> {
    const known = this.kept.get(fingerprint) ?? this.compiling.get(fingerprint);
    if (known) return known;
    const compiling = compileSchema(schema, this.subject).then((compiled) => {
      this.kept.set(fingerprint, compiled);
      return compiled;
    });
    this.compiling.set(fingerprint, compiling);
    return compiling.finally(() => this.compiling.delete(fingerprint));
  }
}
