import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame';
import { NotFound } from './not-found';
import { RouteError } from './route-error';

export const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: RouteError });
