import { searchOf, text } from '../../api/search-params';

export const causesSearch = searchOf({ record: text });
