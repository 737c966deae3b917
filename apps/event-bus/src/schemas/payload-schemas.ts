import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@switchyard/kernel';
import { type SchemaCheck, compileSchema } from '@switchyard/schemas';
import { LRUCache } from 'lru-cache';

const KEPT = 500;

/** Compiles each schema once. A schema is known by its fingerprint, so that no upgrade can meet an old check. */
@Injectable()
export class PayloadSchemas {
  private readonly checks = new LRUCache<string, SchemaCheck>({ max: KEPT });

  async checkOf(fingerprint: string, load: () => Promise<JsonObject>): Promise<SchemaCheck> {
    const known = this.checks.get(fingerprint);
    if (known) return known;
    const schema = await load();
    // Others may have asked for it meanwhile: it is compiled once all the same, which takes milliseconds.
    const meanwhile = this.checks.get(fingerprint);
    if (meanwhile) return meanwhile;
    const compiled = compileSchema(schema, 'payload');
    // What an older version of us accepted may be refused today: then nothing fits, and the answer says why.
    const check: SchemaCheck = 'check' in compiled ? compiled.check : () => compiled.problems;
    this.checks.set(fingerprint, check);
    return check;
  }
}
