import { createBrowserHistory } from '@tanstack/react-router';

/** One for both routers: the console's, and the one of the documentation without a sign-in. */
export const history = createBrowserHistory();

const GUIDES = /^\/console\/docs(?:\/|$)/u;

/** The documentation contains nothing of a Space, so it is shown without a sign-in. */
export const isGuidesPage = (): boolean => GUIDES.test(history.location.pathname);
