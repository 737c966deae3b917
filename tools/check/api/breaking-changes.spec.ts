import type { JsonSchema } from '@switchyard/contracts';
import { breakingChanges } from './breaking-changes';

interface NotesApi {
  input?: JsonSchema;
  output?: JsonSchema;
  parameters?: JsonSchema[];
  operation?: JsonSchema;
  status?: string;
}

const object = (properties: JsonSchema, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const content = (schema: JsonSchema): JsonSchema => ({ content: { 'application/json': { schema } } });

const documentOf = ({ input, output, parameters, operation, status = '200' }: NotesApi): JsonSchema => ({
  paths: {
    '/api/notes': {
      post: {
        operationId: 'createNote',
        'x-access': { public: false, role: 'MEMBER', scope: 'notes:write' },
        parameters: parameters ?? [],
        requestBody: { $ref: '#/components/requestBodies/Note' },
        responses: { [status]: content(output ?? object({ id: { type: 'string' } }, ['id'])) },
        ...operation,
      },
    },
  },
  components: { requestBodies: { Note: content(input ?? object({ text: { type: 'string' } }, ['text'])) } },
});

const changes = (from: NotesApi, to: NotesApi): string[] => breakingChanges(documentOf(from), documentOf(to));
const text = { type: 'string' };

describe('a change breaks clients when', () => {
  it.each<[string, NotesApi, NotesApi, string]>([
    ['an operation id changes', {}, { operation: { operationId: 'addNote' } }, 'from createNote to addNote'],
    ['a status is removed', {}, { status: '201' }, 'the status 200 was removed'],
    [
      'the role rises',
      {},
      { operation: { 'x-access': { public: false, role: 'ADMIN', scope: 'notes:write' } } },
      'the role ADMIN is required now',
    ],
    [
      'another scope is required',
      {},
      { operation: { 'x-access': { public: false, role: 'MEMBER', scope: 'notes:all' } } },
      'the scope notes:all is required now',
    ],
    [
      'a parameter is removed',
      { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }] },
      {},
      'the parameter query:limit was removed',
    ],
    [
      'a parameter becomes required',
      {},
      { parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer' } }] },
      'the parameter query:limit is required now',
    ],
    [
      'a limit of a parameter falls',
      { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }] },
      { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } }] },
      'maximum changed from 100 to 50',
    ],
    ['a property of the body is renamed', {}, { input: object({ body: text }) }, 'body.text: the property was removed'],
    [
      'a new property of the body is required',
      {},
      { input: object({ text, title: text }, ['text', 'title']) },
      'body.title: the property is required now',
    ],
    [
      'an allowed value is removed',
      { input: object({ kind: { type: 'string', enum: ['A', 'B'] } }) },
      { input: object({ kind: { type: 'string', enum: ['A'] } }) },
      'body.kind: the value B was removed',
    ],
    [
      'a free text gets fixed values',
      { input: object({ kind: text }) },
      { input: object({ kind: { type: 'string', enum: ['A'] } }) },
      'body.kind: only A are allowed now',
    ],
    [
      'null is no longer accepted',
      { input: object({ note: { type: ['string', 'null'] } }) },
      { input: object({ note: text }) },
      'body.note: the type changed from string or null to string',
    ],
    [
      'a variant of the body is removed',
      { input: { anyOf: [text, { type: 'integer' }] } },
      { input: { anyOf: [text] } },
      'body: 1 of its variants were removed',
    ],
    ['a property of the answer is removed', {}, { output: object({}) }, '200.id: the property was removed'],
    [
      'a property of the answer becomes optional',
      {},
      { output: object({ id: text }) },
      '200.id: the property is optional now',
    ],
    [
      'a property of the answer may be null',
      {},
      { output: object({ id: { type: ['string', 'null'] } }, ['id']) },
      '200.id: the type changed from string to string or null',
    ],
    [
      'the items of a list in the answer lose a property',
      { output: { type: 'array', items: object({ id: text }) } },
      { output: { type: 'array', items: object({}) } },
      '200[].id: the property was removed',
    ],
  ])('%s', (_, from, to, expected) => {
    expect(changes(from, to)).toEqual([expect.stringContaining(expected)]);
  });

  it('an operation is removed', () => {
    expect(breakingChanges(documentOf({}), { paths: {} })).toEqual(['POST /api/notes: the operation was removed']);
  });
});

describe('a change breaks no client when', () => {
  it.each<[string, NotesApi, NotesApi]>([
    ['nothing changes', {}, {}],
    ['an optional property of the body is added', {}, { input: object({ text, title: text }, ['text']) }],
    ['a property of the answer is added', {}, { output: object({ id: text, title: text }, ['id']) }],
    [
      'an answer gets a value that older clients do not know',
      { output: object({ status: { type: 'string', enum: ['A'] } }) },
      { output: object({ status: { type: 'string', enum: ['A', 'B'] } }) },
    ],
    ['an optional parameter is added', {}, { parameters: [{ name: 'limit', in: 'query', schema: text }] }],
    ['descriptions change', {}, { output: object({ id: { ...text, description: 'An id.' } }, ['id']) }],
    [
      'a limit of the body rises',
      { input: object({ text: { ...text, maxLength: 10 } }) },
      { input: object({ text: { ...text, maxLength: 20 } }) },
    ],
  ])('%s', (_, from, to) => {
    expect(changes(from, to)).toEqual([]);
  });

  it('a schema that contains itself is compared once', () => {
    const document = documentOf({ input: { $ref: '#/components/schemas/Tree' } });
    const tree = {
      components: {
        ...(document['components'] as object),
        schemas: { Tree: object({ child: { $ref: '#/components/schemas/Tree' } }) },
      },
    };
    expect(breakingChanges({ ...document, ...tree }, { ...document, ...tree })).toEqual([]);
  });
});
