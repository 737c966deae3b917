import { Injectable } from '@nestjs/common';
import { type ErrorDetail, fingerprint, invalid, type JsonObject } from '@switchyard/kernel';
import { type SchemaCheck, compileSchema } from '@switchyard/schemas';
import { LRUCache } from 'lru-cache';

/** JSON Schemas of users: compiled once, never allowed to fetch anything or to hold the process. */
@Injectable()
export class SchemaCompiler {
  private readonly compiled = new LRUCache<string, SchemaCheck | ErrorDetail[]>({ max: 500 });

  /** Refuses what is no JSON Schema. */
  check(schema: JsonObject, path: string): void {
    const compiled = this.compile(schema);
    if (typeof compiled === 'function') return;
    const [first] = compiled;
    const where = first?.path ? `is not usable: ${first.path} ` : '';
    throw invalid(path, `${where}${first?.message ?? 'is not a JSON Schema'}`.slice(0, 300));
  }

  /** What is wrong with a value in one line, or null. */
  problem(schema: JsonObject, value: unknown): string | null {
    const compiled = this.compile(schema);
    const [first] = typeof compiled === 'function' ? compiled(value) : compiled;
    return first ? `${first.path} ${first.message}` : null;
  }

  private compile(schema: JsonObject): SchemaCheck | ErrorDetail[] {
    const name = fingerprint(schema);
    let compiled = this.compiled.get(name);
    if (!compiled) {
      // Generators name older dialects, and write what is the same in all of them.
      const { $schema: _, ...ours } = schema;
      const result = compileSchema(ours, 'the value');
      compiled = 'check' in result ? result.check : result.problems;
      this.compiled.set(name, compiled);
    }
    return compiled;
  }
}
