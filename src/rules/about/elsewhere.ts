import type { Rule } from '../rule.ts';

/** How many times its value a price must change by to be reported; a trigger of the database compares with it. */
const PRICE_FACTOR = 3;

/** Rules about what no property shows by itself: the database or a request for an address finds it. */
export const OTHER_RULES: readonly Rule[] = [
  {
    code: 'price_jumped',
    severity: 'warning',
    explanation: {
      en: `The price has changed by a factor of ${PRICE_FACTOR} or more in the last 30 days: one digit may be missing or too many.`,
      es: `El precio ha cambiado en un factor de ${PRICE_FACTOR} o más en los últimos 30 días: puede faltar o sobrar una cifra.`,
    },
    fix: { en: 'Check the price.', es: 'Compruebe el precio.' },
  },
  {
    code: 'link_gone',
    severity: 'error',
    explanation: {
      en: 'A picture or the web page of the property does not exist any more, according to its server.',
      es: 'Una foto o la página web del inmueble ya no existe, según su servidor.',
    },
    fix: { en: 'Remove or correct the address.', es: 'Elimine o corrija la dirección.' },
  },
];
