import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';

type Imported = Type | DynamicModule | ForwardReference | Promise<DynamicModule>;

/** The controllers of a module and of all that it imports, each once. Nothing is instantiated, so no server is needed. */
export function controllersOf(root: Type): Type[] {
  const modules = new Set<Type>();
  const controllers = new Set<Type>();
  const visit = (imported: Imported): void => {
    if (imported instanceof Promise || 'forwardRef' in imported)
      throw new Error(
        'The OpenAPI document reads modules that are imported directly: no promise and no forward reference.',
      );
    const module = 'module' in imported ? imported.module : imported;
    if ('module' in imported) for (const controller of imported.controllers ?? []) controllers.add(controller);
    if ('module' in imported) for (const inner of imported.imports ?? []) visit(inner);
    if (modules.has(module)) return;
    modules.add(module);
    for (const controller of listed<Type>(MODULE_METADATA.CONTROLLERS, module)) controllers.add(controller);
    for (const inner of listed<Imported>(MODULE_METADATA.IMPORTS, module)) visit(inner);
  };
  visit(root);
  return [...controllers];
}

const listed = <Item>(key: string, module: Type): Item[] =>
  (Reflect.getMetadata(key, module) as Item[] | undefined) ?? [];
