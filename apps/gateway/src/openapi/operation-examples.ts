import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonSchema } from '@switchyard/contracts';

interface OperationExample {
  request?: unknown;
  /** By status and media type: `200 application/json`. */
  responses: Record<string, { body: unknown }>;
}

/** Recorded from a running platform by `npm run docs:examples`. */
const FILE = path.join(__dirname, 'operation-examples.json');

const recorded = (): Record<string, OperationExample> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, OperationExample>) : {};

type Content = Record<string, JsonSchema>;

const contentOf = (part: unknown): Content => (part as { content?: Content } | undefined)?.content ?? {};

/** Adds the recorded examples to the operations of a document. */
export function addExamples(paths: Record<string, Record<string, JsonSchema>>): void {
  const examples = recorded();
  for (const [name, { request, responses }] of Object.entries(examples)) {
    const [method = '', template = ''] = name.split(' ');
    const operation = paths[template]?.[method.toLowerCase()];
    if (!operation) throw new Error(`There is an example of ${name}, which is not in the document.`);
    const body = Object.values(contentOf(operation['requestBody']))[0];
    if (body && request !== undefined) body['example'] = request;
    for (const [key, answer] of Object.entries(responses)) {
      const [status = '', media = ''] = key.split(' ');
      const content = contentOf((operation['responses'] as Record<string, unknown>)[status])[media];
      if (!content) throw new Error(`There is an example of ${name} ${key}, which is not in the document.`);
      content['example'] = answer.body;
    }
  }
}
