import { Injectable } from '@nestjs/common';
import { fingerprint, invalid, type JsonObject } from '@switchyard/kernel';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';

const MAX_SCHEMA_CHARS = 100_000;

/** JSON Schemas of users: compiled once, never allowed to fetch anything. */
@Injectable()
export class SchemaCompiler {
  private readonly compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

  /** Refuses what is no JSON Schema. */
  check(schema: JsonObject, path: string): void {
    if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS)
      throw invalid(path, `must not have more than ${MAX_SCHEMA_CHARS} characters`);
    try {
      this.compile(schema);
    } catch (error) {
      throw invalid(
        path,
        `is not a JSON Schema: ${error instanceof Error ? error.message.slice(0, 300) : 'it does not compile'}`,
      );
    }
  }

  /** What is wrong with a value in one line, or null. */
  problem(schema: JsonObject, value: unknown): string | null {
    const validate = this.compile(schema);
    if (validate(value)) return null;
    const [first] = validate.errors ?? [];
    return first
      ? `${first.instancePath === '' ? 'the value' : first.instancePath} ${first.message ?? 'is not valid'}`
      : 'it is not valid';
  }

  private compile(schema: JsonObject): ValidateFunction {
    const name = fingerprint(schema);
    let validate = this.compiled.get(name);
    if (!validate) {
      // One instance per schema: two schemas with one `$id` do not meet.
      const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, ownProperties: true });
      addFormats(ajv);
      validate = ajv.compile(schema);
      this.compiled.set(name, validate);
    }
    return validate;
  }
}
