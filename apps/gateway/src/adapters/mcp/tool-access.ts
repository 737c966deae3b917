import { type Ctx, checkAccess } from '@switchyard/contracts';
import type { Tool } from './tool';

/** The same rules as on the API's routes, before the tool's arguments are looked at. */
export const checkToolAccess = ({ calls }: Tool, ctx: Ctx): void => {
  checkAccess(calls.access, ctx, 'gateway');
};
