import type { JsonObject } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { type CompiledSchema, compileSchema } from './compile-schema';

/** All that are kept, in bytes: some thousands of common ones, or a dozen of the largest. */
const KEPT_BYTES = 16 * 1024 * 1024;
const REFUSED_BYTES = 1000;

/** Schemas of users, compiled once and weighed: few large ones push the others out, not the process. */
export class CompiledSchemas {
  private readonly kept: LRUCache<string, CompiledSchema>;
  private readonly compiling = new Map<string, Promise<CompiledSchema>>();

  /** `subject` is what findings call the value. */
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

  /** Asked for by several at the same time, it is compiled once. */
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
