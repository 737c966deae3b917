import { AppError } from '@switchyard/kernel';
import type { FastifyRequest } from 'fastify';

const NAME = '__Secure-switchyard_console';
/** Longer than a sign-in lives: which token still opens one is not for the browser to say. */
const SECONDS = 90 * 24 * 3600;
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * `Secure` always: browsers take loopback addresses for secure, and over plain HTTP through a network a sign-in ends
 * with the page rather than travel in the clear with every request.
 */
const ATTRIBUTES = 'Path=/console/session; HttpOnly; SameSite=Strict; Secure';

export const sessionCookie = (refreshToken: string): string =>
  `${NAME}=${refreshToken}; ${ATTRIBUTES}; Max-Age=${SECONDS}`;

export const endedCookie = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

export function findToken(request: Pick<FastifyRequest, 'headers'>): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${NAME}=`)).map((pair) => pair.slice(NAME.length + 1));
  // Two of one name: somebody has planted one beside ours.
  const [value, ...others] = values;
  return value !== undefined && others.length === 0 && TOKEN.test(value) ? value : null;
}

export function getToken(request: Pick<FastifyRequest, 'headers'>): string {
  const token = findToken(request);
  if (token === null) throw new AppError('UNAUTHORIZED', 'This browser is not signed in. Sign in again.');
  return token;
}
