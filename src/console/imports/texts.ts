import { catalogue } from '../texts/catalogue.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

export const IMPORTS = catalogue(en, es);
