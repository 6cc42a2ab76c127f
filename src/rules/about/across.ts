import type { AccountRule, FoundIn, Rule } from '../rule.ts';
import type { Trace } from '../trace.ts';

/** Maximum number of properties that a building usually has. */
const MOST_AT_A_PLACE = 20;

/** Number of properties from which a value that all share is hardly right. */
const LEAST_ALIKE = 10;

/** How many times its value a price must change by to be reported; a trigger of the database compares with it. */
const PRICE_FACTOR = 3;

/** Properties that share a key, each with the first other one that has it. */
function sharing(traces: readonly Trace[], keyOf: (trace: Trace) => string, node: string): FoundIn[] {
  return groups(traces, keyOf).flatMap((group) =>
    group.map((trace) => {
      const other = group.find(({ id }) => id !== trace.id);
      return { property: trace.id, node, value: `= ${other?.id}` };
    }),
  );
}

/** The traces of each key that several have; the empty key is none. */
function groups(traces: readonly Trace[], keyOf: (trace: Trace) => string): Trace[][] {
  const byKey = Map.groupBy(traces, keyOf);
  byKey.delete('');
  return [...byKey.values()].filter((group) => group.length > 1);
}

/** A finding about the whole account, which names its first property. */
function onTheFirst([first]: readonly Trace[], node: string, value: string): FoundIn[] {
  return first === undefined ? [] : [{ property: first.id, node, value }];
}

export const ACCOUNT_RULES: readonly AccountRule[] = [
  {
    code: 'description_missing_in_language',
    severity: 'warning',
    en: 'The property has no description in an expected language: one you asked for, or one that half of your properties have.',
    es: 'El inmueble no tiene descripción en un idioma esperado: uno que se ha pedido o uno que tiene la mitad de los inmuebles.',
    fix: { en: 'Translate the description.', es: 'Traduzca la descripción.' },
    compare: (traces, languages) =>
      traces.flatMap(({ id, texts }) => {
        if (Object.keys(texts).length === 0) return [];
        return languages
          .filter((language) => !(language in texts))
          .map((language) => ({ property: id, node: `description/${language}`, value: '' }));
      }),
  },
  {
    code: 'no_spanish_description',
    severity: 'warning',
    en: 'Most properties are in Spain, but no description is in Spanish, the language of most buyers there.',
    es: 'La mayoría de los inmuebles están en España, pero ninguna descripción está en español, el idioma de la mayoría de los compradores.',
    fix: { en: 'Add descriptions in Spanish.', es: 'Añada descripciones en español.' },
    compare: (traces) => {
      const described = traces.filter(({ texts }) => Object.keys(texts).length > 0);
      const isFound =
        described.filter(({ inSpain }) => inSpain).length * 2 > described.length &&
        described.every(({ texts }) => !('es' in texts));
      return isFound ? onTheFirst(described, 'description/es', '') : [];
    },
  },
  {
    code: 'same_value_everywhere',
    severity: 'warning',
    en: 'All properties have the same value: it is probably a default that nobody has corrected.',
    es: 'Todos los inmuebles tienen el mismo valor: probablemente es un valor por defecto que nadie ha corregido.',
    fix: { en: 'Enter the value of each property.', es: 'Indique el valor de cada inmueble.' },
    compare: (traces) => {
      if (traces.length < LEAST_ALIKE) return [];
      const isShared = ([node, value]: readonly [string, string]) =>
        traces.every(({ values }) => values[node] === value);
      const shared = Object.entries(traces[0]!.values).filter(isShared);
      return shared.flatMap(([node, value]) => onTheFirst(traces, node, `${value} (×${traces.length})`));
    },
  },
  {
    code: 'description_repeated',
    severity: 'warning',
    en: 'Several properties have the same description. Search engines and portals show only one of them.',
    es: 'Varios inmuebles tienen la misma descripción. Los buscadores y los portales solo muestran uno de ellos.',
    fix: { en: 'Write what distinguishes each.', es: 'Escriba lo que distingue a cada uno.' },
    compare: (traces) => {
      const languages = new Set(traces.flatMap(({ texts }) => Object.keys(texts)));
      return [...languages].flatMap((language) =>
        sharing(traces, ({ texts }) => texts[language] ?? '', `description/${language}`),
      );
    },
  },
  {
    code: 'property_repeated',
    severity: 'warning',
    en: 'Another property has the same type, price, rooms, areas and town: one may be a duplicate.',
    es: 'Otro inmueble tiene el mismo tipo, precio, habitaciones, superficies y localidad: puede que esté duplicado.',
    fix: { en: 'Withdraw one, or correct the details.', es: 'Retire uno de los dos, o corrija los datos.' },
    compare: (traces) => sharing(traces, ({ facts, picture }) => (facts === '' ? '' : `${facts} ${picture}`), 'id'),
  },
  {
    code: 'reference_repeated',
    severity: 'warning',
    en: 'Several properties have the same reference, so an enquiry does not say which one it is about.',
    es: 'Varios inmuebles tienen la misma referencia, así que no se sabe a cuál se refiere una consulta.',
    fix: { en: 'Give each its own reference.', es: 'Dé a cada uno su propia referencia.' },
    compare: (traces) => sharing(traces, ({ reference }) => reference.trim().toLowerCase(), 'ref'),
  },
  {
    code: 'first_picture_repeated',
    severity: 'info',
    en: 'Several properties have the same first picture.',
    es: 'Varios inmuebles tienen la misma primera foto.',
    fix: { en: 'Put a picture of the property itself first.', es: 'Ponga primero una foto del propio inmueble.' },
    compare: (traces) => sharing(traces, ({ picture }) => picture, 'images/image[1]/url'),
  },
  {
    code: 'place_shared_by_many',
    severity: 'info',
    en: `More than ${MOST_AT_A_PLACE} properties have the same coordinates: probably those of the office or the town.`,
    es: `Más de ${MOST_AT_A_PLACE} inmuebles tienen las mismas coordenadas: probablemente las de la oficina o las de la localidad.`,
    fix: { en: 'Give each its own place.', es: 'Dé a cada uno su propio lugar.' },
    compare: (traces) =>
      groups(traces, ({ place }) => place)
        .filter((group) => group.length > MOST_AT_A_PLACE)
        .flatMap((group) => group.map(({ id, place }) => ({ property: id, node: 'location', value: place }))),
  },
];

/** Rules about what no property shows by itself: the database or a request for an address finds it. */
export const OTHER_RULES: readonly Rule[] = [
  {
    code: 'price_jumped',
    severity: 'warning',
    en: `The price has changed by a factor of ${PRICE_FACTOR} or more in the last 30 days: one digit may be missing or too many.`,
    es: `El precio ha cambiado en un factor de ${PRICE_FACTOR} o más en los últimos 30 días: puede faltar o sobrar una cifra.`,
    fix: { en: 'Check the price.', es: 'Compruebe el precio.' },
  },
  {
    code: 'link_gone',
    severity: 'error',
    en: 'A picture or the web page of the property does not exist any more, according to its server.',
    es: 'Una foto o la página web del inmueble ya no existe, según su servidor.',
    fix: { en: 'Remove or correct the address.', es: 'Elimine o corrija la dirección.' },
  },
];
