export const TURN_STATUSES = ['RUNNING', 'WAITING_INPUT', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

export const ACTIVE_TURN_STATUSES = ['RUNNING', 'WAITING_INPUT'] as const;
export const FINAL_TURN_STATUSES = ['COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type FinalTurnStatus = (typeof FINAL_TURN_STATUSES)[number];

export const isActiveTurn = (status: TurnStatus): boolean => ACTIVE_TURN_STATUSES.some((active) => active === status);
