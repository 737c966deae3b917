import 'reflect-metadata';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { defineCall } from './define-contracts';
import { Nothing } from './common-shapes';

class Title {
  @Field(f.text()) title!: string;
}

class Update {
  @Field(f.id()) id!: string;
  @Field(f.text(), { optional: true }) title?: string;
  @Field(f.int(), { optional: true }) limit?: number;
  @Field(f.object(() => Title)) changes!: Title;
}

class KeyedTitle extends Title {
  @Field(f.text(), { optional: true }) idempotencyKey?: string;
}

class Unknown extends Title {
  @Field(f.int()) colour!: number;
}

class Otherwise {
  @Field(f.int()) title!: number;
}

class Limit {
  @Field(f.queryInt(), { optional: true }) limit?: number;
}

const text = {
  subject: 'note.update',
  request: Update,
  reply: Nothing,
  access: 'public',
  callers: ['gateway'],
} as const;
const http = { name: 'Notes_update', method: 'PUT', path: '/notes/:id', summary: 'Change', message: 'Done.' } as const;

/** Each marked line must be a compile error; an unused expectation fails the type check. */
const planted = (): unknown[] => [
  // @ts-expect-error a field of the body that the request has not
  defineCall({ ...text, http: { ...http, body: Unknown } }),
  // @ts-expect-error a field of the body that has another type in the request
  defineCall({ ...text, http: { ...http, body: Otherwise } }),
  // @ts-expect-error a field of the query that the request has not
  defineCall({ ...text, http: { ...http, query: Unknown } }),
  // @ts-expect-error a body for a field that the request has not
  defineCall({ ...text, http: { ...http, body: Title, bodyField: 'change' } }),
  // @ts-expect-error a body of another class than the field that it is for
  defineCall({ ...text, http: { ...http, body: Otherwise, bodyField: 'changes' } }),
];

describe('the route of a contract', () => {
  it('takes bodies and queries whose fields are those of the request', () => {
    const fitting = [
      defineCall({ ...text, http: { ...http, body: Title } }),
      defineCall({ ...text, http: { ...http, body: KeyedTitle } }),
      defineCall({ ...text, http: { ...http, query: Limit } }),
      defineCall({ ...text, http: { ...http, body: Title, bodyField: 'changes' } }),
    ];
    expect(fitting.map((contract) => contract.http?.path)).toEqual(fitting.map(() => '/notes/:id'));
    expect(planted()).toHaveLength(5);
  });
});
