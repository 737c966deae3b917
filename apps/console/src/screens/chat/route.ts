import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const chatRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/chat',
    component: lazyRouteComponent(() => import('./chat-page'), 'ChatPage'),
  }),
];
