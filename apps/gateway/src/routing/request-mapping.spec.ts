import {
  ById,
  type CallContract,
  defineCall,
  Field,
  type HttpRoute,
  Nothing,
  PageRequest,
  f,
} from '@switchyard/contracts';
import { partsOf, type PlainCall, requestOf } from './request-mapping';

class Changes {
  @Field(f.text(), { optional: true }) title?: string;
}

class Update {
  @Field(f.id()) noteId!: string;
  @Field(f.int(), { optional: true }) ifVersion?: number;
  @Field(f.object(() => Changes)) changes!: Changes;
}

class Rename extends Changes {
  @Field(f.id()) id!: string;
}

class KeyedTitle extends Changes {
  @Field(f.text(), { optional: true }) idempotencyKey?: string;
}

const route = (request: CallContract['request'], http: Partial<HttpRoute>, idempotent?: 'body'): PlainCall => {
  const events = { name: 'Notes_do', method: 'POST', path: '/notes', summary: 'Do', message: 'Done.' } as const;
  const contract = { subject: 'note.do', request, reply: Nothing, access: 'public', callers: ['gateway'] } as const;
  return { ...defineCall({ ...contract, idempotent }), http: { ...events, ...http } };
};

const requested = (contract: PlainCall, ...values: unknown[]): object => requestOf(partsOf(contract), values);

describe('the parts of a plain route', () => {
  it('are the whole request where the path has no parameters', () => {
    expect(partsOf(route(Changes, {})).map(({ type }) => type)).toEqual([Changes]);
    expect(partsOf(route(PageRequest, { method: 'GET' })).map(({ type }) => type)).toEqual([PageRequest]);
    expect(partsOf(route(Nothing, { method: 'GET' }))).toEqual([]);
  });

  it('name a parameter of the path as the request does', () => {
    expect(requested(route(Rename, { path: '/notes/:noteId', body: Changes }), 'a', { title: 'b' })).toEqual({
      id: 'a',
      title: 'b',
    });
  });

  it('refuse a body where the path gives the whole request', () => {
    const [, body] = partsOf(route(ById, { path: '/notes/:noteId/close' }));
    expect(body?.type).toBe(Nothing);
  });

  it('put a body into its field, and the version of If-Match beside it', () => {
    const update = route(Update, { method: 'PUT', path: '/notes/:noteId', body: Changes, bodyField: 'changes' });
    expect(requested(update, 'a', { title: 'b' }, '"3"')).toEqual({
      noteId: 'a',
      changes: { title: 'b' },
      ifVersion: 3,
    });
    expect(() => requested(update, 'a', {}, 'three')).toThrow('If-Match must be a version in quotes, such as "3".');
  });

  it('leave out an idempotency key that the request has no field for', () => {
    const rename = route(Rename, { path: '/notes/:noteId', body: KeyedTitle }, 'body');
    expect(requested(rename, 'a', { title: 'b', idempotencyKey: 'c' })).toEqual({ id: 'a', title: 'b' });
  });

  it.each([
    ['a field that nothing gives', route(Rename, { body: Changes }), 'id'],
    ['a field that the request does not have', route(ById, { path: '/notes/:noteId', body: Changes }), 'title'],
    ['a field that is given twice', route(Rename, { path: '/notes/:noteId', body: Rename }), 'id'],
    ['a key that is not part of the operation', route(Changes, { body: KeyedTitle }), 'idempotencyKey'],
  ])('are refused with %s', (_what, contract, name) => {
    expect(() => partsOf(contract)).toThrow(`the route of note.do does not give each once: ${name}`);
  });
});
