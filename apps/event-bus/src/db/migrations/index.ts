import { CreateApplications1700000000001 } from './0001-applications';
import { CreateEmissions1700000000002 } from './0002-emissions';

export const migrations = [CreateApplications1700000000001, CreateEmissions1700000000002];
