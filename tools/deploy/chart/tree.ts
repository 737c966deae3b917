/* A manifest with openings: what values of an installation decide stands as text of Helm's templates. */

type Scalar = string | number | boolean | null;
export type TreeMap = { [key: string]: Tree | undefined };
export type Tree = Scalar | Tree[] | TreeMap | Inline | Block | Lines | Conditional;

/** One scalar: `key: {{ expression }}`. */
export class Inline {
  constructor(readonly expression: string) {}
}

/** A whole map or list under its key. */
export class Block {
  constructor(readonly expression: string) {}
}

/** Entries beside the others of a map or list. In a map its own key says nothing. */
export class Lines {
  constructor(readonly expression: string) {}
}

/** An entry of a map, an item of a list or a document that is there on a condition: `if …` or `with …`. */
export class Conditional {
  constructor(
    readonly condition: string,
    readonly then: Tree,
    readonly otherwise?: Tree,
  ) {}
}

/** The value where one is given, else nothing: no key without content. */
export const given = (expression: string): Conditional => new Conditional(`with ${expression}`, new Block('toYaml .'));

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A manifest that openings are made in, by JSON pointers. A place that is not there is a mistake. */
export class EditableManifest {
  readonly tree: TreeMap;

  constructor(manifest: object) {
    this.tree = structuredClone(manifest) as TreeMap;
  }

  at(pointer: string): Tree {
    let node: Tree = this.tree;
    for (const step of stepsOf(pointer)) {
      const next: Tree | undefined = (node as TreeMap)[step];
      if (next === undefined) throw new Error(`there is no ${pointer}`);
      node = next;
    }
    return node;
  }

  text(pointer: string): string {
    const found = this.at(pointer);
    if (typeof found !== 'string') throw new Error(`${pointer} is not a text`);
    return found;
  }

  replace(pointer: string, node: Tree | ((found: Tree) => Tree)): this {
    const found = this.at(pointer);
    this.set(pointer, typeof node === 'function' ? node(found) : node);
    return this;
  }

  /** A last entry of a map, or `/-`: a last item of a list. The first entry of an item must be one that is always there. */
  add(pointer: string, node: Tree): this {
    this.set(pointer, node, true);
    return this;
  }

  private set(pointer: string, node: Tree, isLast = false): void {
    const end = pointer.lastIndexOf('/');
    const owner = this.at(pointer.slice(0, end));
    const [last = ''] = stepsOf(pointer.slice(end));
    if (Array.isArray(owner) && last === '-') owner.push(node);
    else {
      if (isLast) Reflect.deleteProperty(owner as TreeMap, last);
      (owner as TreeMap)[last] = node;
    }
  }
}
