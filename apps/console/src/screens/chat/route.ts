import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { chatSearch } from './search-params';

export const chatRoutes = [
  createRoute({
    getParentRoute: () => root,
    // One route for a chat that is and one that begins: the stream goes on when the chat gets its name.
    path: '/chat/{-$sessionId}',
    validateSearch: chatSearch,
    component: lazyRouteComponent(() => import('./chat-page'), 'ChatPage'),
  }),
];
