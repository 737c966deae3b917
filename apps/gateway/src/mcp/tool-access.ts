import { AppError } from '@switchyard/kernel';
import { Ctx, hasScope, roleAtLeast } from '@switchyard/contracts';
import type { Tool } from './tool';

/** The same rules as on the API's routes: scope, role, and whose key it is. */
export function checkToolAccess(tool: Tool, ctx: Ctx): void {
  const isSystem = ctx.credentialType === 'system_key';
  if (isSystem !== (tool.systemKey === true)) {
    const message = isSystem
      ? "An application's key may only emit its events."
      : "This needs the application's own key.";
    throw new AppError('FORBIDDEN', message);
  }
  if (!hasScope(ctx.scopes, tool.scope)) throw new AppError('FORBIDDEN', `The key lacks the scope ${tool.scope}.`);
  if (tool.role && !roleAtLeast(ctx.role, tool.role))
    throw new AppError('FORBIDDEN', `This needs the role ${tool.role} or a higher one.`);
}
