import { Described, Field } from '../fields/field';
import { Class, f } from '../fields/field-schema';

@Described('No fields. An empty object is accepted.')
export class Nothing {}

export class ById {
  @Field(f.id()) id!: string;
}

export class Count {
  @Field(f.int({ min: 0 })) count!: number;
}

@Described('Confirms a deletion.')
export class Deleted {
  @Field(f.id()) id!: string;
  @Field(f.bool(), { description: 'Whether it was deleted.' }) deleted!: boolean;
}

export const DEFAULT_PAGE = 20;

export class PageRequest {
  @Field(f.queryInt({ min: 1, max: 100 }), { optional: true, default: DEFAULT_PAGE, description: 'Rows per page.' })
  limit?: number;
  @Field(f.text({ min: 1, max: 4096 }), { optional: true, description: '`nextCursor` of the previous page.' })
  cursor?: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

const pages = new WeakMap<Class, Class>();

/** Reply class of a paged list of `type`. */
export function pageOf<T extends object>(type: Class<T>): Class<Page<T>> {
  const existing = pages.get(type);
  if (existing) return existing as Class<Page<T>>;
  class PageReply implements Page<T> {
    @Field(f.list(f.object(() => type))) items!: T[];
    @Field(f.text(), { nullable: true }) nextCursor!: string | null;
  }
  Object.defineProperty(PageReply, 'name', { value: `${type.name}Page` });
  pages.set(type, PageReply);
  pageReplies.add(PageReply);
  return PageReply;
}

const pageReplies = new WeakSet<Class>();
export const isPageOf = (reply: Class): boolean => pageReplies.has(reply);

const lists = new WeakMap<Class, Class>();
const listReplies = new WeakSet<Class>();
export const isListOf = (reply: Class): boolean => listReplies.has(reply);

export interface Items<T> {
  items: T[];
}

/** Reply class of an unpaged list, for lists that stay short. */
export function listOf<T extends object>(type: Class<T>): Class<Items<T>> {
  const existing = lists.get(type);
  if (existing) return existing as Class<Items<T>>;
  class ListReply implements Items<T> {
    @Field(f.list(f.object(() => type))) items!: T[];
  }
  Object.defineProperty(ListReply, 'name', { value: `${type.name}List` });
  lists.set(type, ListReply);
  listReplies.add(ListReply);
  return ListReply;
}
