import { searchOf, text } from '../../api/search';

export const causesSearch = searchOf({ record: text });
