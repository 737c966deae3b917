import { CreateMoney1700000000001 } from './0001-create-money';

export const migrations = [CreateMoney1700000000001];
