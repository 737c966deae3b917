import { type JsonSchema, SERVICES, checkedTypes, fileOf, schemaOf } from '@switchyard/contracts';
import { moduleMaker } from '../../libs/contracts/src/fields/compile-validators';
import { CONFIGS } from '../docs/configuration';

const FORMATS = '../libs/contracts/src/fields/string-formats';

/** Schemas that services validate, including their configuration. */
export function schemasToPrepare(): JsonSchema[] {
  const types = SERVICES.flatMap((service) => checkedTypes(service));
  const configurations = Object.values(CONFIGS).map((type) => ({ type, closed: false }));
  return [...types, ...configurations].map(({ type, closed }) => schemaOf(type, { closed }));
}

/** The modules of these checks by the names of their files. */
export function preparedChecks(schemas = schemasToPrepare(), formats = FORMATS): Map<string, string> {
  const moduleOf = moduleMaker(formats);
  const modules = new Map<string, string>();
  for (const schema of schemas) {
    const file = fileOf(schema);
    if (!modules.has(file)) modules.set(file, moduleOf(schema));
  }
  return modules;
}
