const PAGE = '/console/invitation';

/** The token stands behind the `#`: no server and no log sees it. */
export const invitationLink = (token: string): string => `${window.location.origin}${PAGE}#${token}`;

export const isInvitationPage = (): boolean => window.location.pathname === PAGE;

/** Of a link, or of what was copied out of one. */
export const tokenIn = (text: string): string => text.trim().split('#').at(-1) ?? '';

/** Of the page's own address; empty where it has none. */
export const givenToken = (): string => (isInvitationPage() ? window.location.hash.slice(1) : '');
