const PAGE = '/console/reset';

/** The token stands behind the `#`: no server and no log sees it. */
export const resetLink = (token: string): string => `${window.location.origin}${PAGE}#${token}`;

export const isResetPage = (): boolean => window.location.pathname === PAGE;

/** Of the page's own address; empty where it has none. */
export const resetToken = (): string => (isResetPage() ? window.location.hash.slice(1) : '');
