import type { ServerResponse } from 'node:http';
import { sendError } from './reply';

const MAX_CHOICES = 8;

/** How many answers a request wants; null when it was refused for that. */
export function choicesIn(response: ServerResponse, body: Record<string, unknown>): number | null {
  const plan = body['n'] ?? 1;
  if (Number.isInteger(plan) && (plan as number) >= 1 && (plan as number) <= MAX_CHOICES) return plan as number;
  sendError(response, 400, `Invalid 'n': it must be a whole number from 1 to ${MAX_CHOICES}.`, 'n');
  return null;
}

/** 0 to n - 1: the places of the answers. */
export const slots = (choices: number): number[] => Array.from({ length: choices }, (_, index) => index);
