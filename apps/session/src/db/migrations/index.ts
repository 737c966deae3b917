import { SessionBaseline1700000001000 } from './0001-baseline';
import { TitlesByTrigram1700000002000 } from './0002-titles-by-trigram';

export const migrations = [SessionBaseline1700000001000, TitlesByTrigram1700000002000];
