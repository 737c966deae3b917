import { Class, JsonSchema, descriptionOf, schemaOf } from '@switchyard/contracts';
import { ERROR_STATUS } from '@switchyard/kernel';

const ERROR: JsonSchema = {
  type: 'object',
  description: 'Body of every error.',
  properties: {
    success: { const: false, description: 'Always false.' },
    message: { type: 'string', description: 'Message for people: what is wrong and what to do next.' },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS), description: 'Stable code for programs.' },
    details: {
      type: 'array',
      description: 'The invalid fields.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Path of the field, such as `steps[0].with.url`.' },
          message: { type: 'string', description: 'Problem with the field, as a sentence without its subject.' },
        },
        required: ['path', 'message'],
      },
    },
  },
  required: ['success', 'message', 'code'],
};

const RELAY_ERROR: JsonSchema = {
  description: 'Body of every error of the routes for OpenAI clients: the flat body, and `error` as in the OpenAI API.',
  allOf: [
    { $ref: '#/components/schemas/Error' },
    {
      type: 'object',
      properties: {
        error: {
          type: 'object',
          description: 'The error as in the OpenAI API.',
          properties: {
            message: { type: 'string', description: 'Message for people.' },
            type: { type: 'string', description: 'Kind of the error, such as `invalid_request_error`.' },
            param: { type: ['string', 'null'], description: 'The invalid parameter; null if no parameter is.' },
            code: {
              type: 'string',
              description: 'Code of the upstream if it gave one, else the code of the platform.',
            },
          },
          required: ['message', 'type', 'param', 'code'],
        },
      },
      required: ['error'],
    },
  ],
};

const PAGE: JsonSchema = {
  type: 'object',
  description: 'Position of the page in the list.',
  properties: {
    limit: { type: 'integer', description: 'Most rows per page.' },
    nextCursor: { type: ['string', 'null'], description: '`cursor` of the next page; null on the last page.' },
  },
  required: ['limit', 'nextCursor'],
};

/** The components of the document: each class once, under its own name. */
export class ComponentSchemas {
  readonly components: Record<string, JsonSchema> = {
    Error: ERROR,
    RelayError: RELAY_ERROR,
    Page: PAGE,
  };
  private readonly classes = new Map<string, Class>();

  /** Requests are closed, answers are open: a client must expect new fields. */
  ref(type: Class, closed: boolean): JsonSchema {
    const name = this.nameOf(type);
    const reference = { $ref: `#/components/schemas/${name}` };
    if (this.classes.has(name)) return reference;
    this.classes.set(name, type);
    this.components[name] = {};
    const description = descriptionOf(type);
    this.components[name] = {
      ...(description ? { description } : {}),
      ...schemaOf(type, { closed, renderClass: (inner) => this.ref(inner, closed) }),
    };
    return reference;
  }

  private nameOf(type: Class): string {
    const taken = this.classes.get(type.name);
    return taken === undefined || taken === type ? type.name : `${type.name}2`;
  }

  /** The success envelope around a reply. A page's items become the list itself. */
  success(type: Class | undefined, siblings?: Class): JsonSchema {
    const extra = siblings ? schemaOf(siblings, { closed: false, renderClass: (inner) => this.ref(inner, false) }) : {};
    const envelope = (data: JsonSchema, page: boolean): JsonSchema => ({
      type: 'object',
      properties: {
        success: { const: true, description: 'Always true.' },
        message: { type: 'string', description: 'Message for people.' },
        data: { ...data, description: page ? 'Rows of the page.' : 'The result.' },
        ...(extra['properties'] as object | undefined),
        ...(page ? { page: { $ref: '#/components/schemas/Page', description: 'Position in the list.' } } : {}),
      },
      required: ['success', 'message', 'data', ...(page ? ['page'] : [])],
    });
    if (!type) return envelope({}, false);
    const isPage = type.name.endsWith('Page') || type.name.endsWith('List');
    if (isPage) {
      const schema = schemaOf(type, { closed: false, renderClass: (inner) => this.ref(inner, false) });
      const items = (schema['properties'] as Record<string, JsonSchema>)['items'];
      if (items) return envelope(items, type.name.endsWith('Page'));
    }
    return envelope(this.ref(type, false), false);
  }
}
