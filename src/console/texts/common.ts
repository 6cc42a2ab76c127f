import type { Role } from '../../db/people.ts';
import type { Severity } from '../../rules/rule.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import type { InLanguages } from './language.ts';

/** The points of the compass, clockwise: the codes of directions that feeds translate. */
export const COMPASS_POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

export type CompassPoint = (typeof COMPASS_POINTS)[number];

/** The statuses of properties, as feeds name them. */
export const STATUSES = ['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn'] as const;

/** What all pages share. */
export interface CommonTexts {
  readonly home: string;
  readonly properties: string;
  readonly developments: string;
  readonly portals: string;
  readonly imports: string;
  readonly report: string;
  readonly settings: string;
  readonly feed: string;
  readonly apiReference: string;
  readonly skip: string;
  readonly menu: string;
  readonly signIn: string;
  readonly signOut: string;
  readonly save: string;
  readonly cancel: string;
  readonly apply: string;
  readonly search: string;
  readonly undo: string;
  readonly remove: string;
  readonly copy: string;
  readonly copied: string;
  readonly next: string;
  readonly previous: string;
  readonly all: string;
  readonly name: string;
  readonly price: string;
  readonly status: string;
  readonly forSale: string;
  readonly longTerm: string;
  readonly shortTerm: string;
  readonly onRequest: string;
  readonly aMonth: string;
  readonly aWeek: string;
  readonly notFound: string;
  readonly notFoundWhy: string;
  readonly toHome: string;
  readonly invalid: string;
  readonly unavailable: string;
  readonly unexpected: string;
  readonly unknownOrigin: string;
  readonly notForm: string;
  readonly disabled: string;
  readonly mayNotChange: string;
  readonly mayNotChangeWhy: string;
  readonly ownersOnly: string;
  readonly ownersOnlyWhy: string;
  readonly limited: string;
  readonly was: string;
  readonly pages: (page: string, pages: string) => string;
  readonly range: (from: string, to: string, total: string) => string;
  readonly roles: Readonly<Record<Role, string>>;
  readonly severities: Readonly<Record<Severity, string>>;
  /** By their names in feeds. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly unitStatuses: Readonly<Record<UnitStatus, string>>;
  readonly compass: Readonly<Record<CompassPoint, string>>;
}

export const COMMON: InLanguages<CommonTexts> = {
  en: {
    home: 'Home',
    properties: 'Properties',
    developments: 'Developments',
    portals: 'Portals',
    imports: 'Imports',
    report: 'Report',
    settings: 'Settings',
    feed: 'Feed',
    apiReference: 'API reference',
    skip: 'Skip to content',
    menu: 'Main',
    signIn: 'Sign in',
    signOut: 'Sign out',
    save: 'Save',
    cancel: 'Cancel',
    apply: 'Apply',
    search: 'Search',
    undo: 'Undo',
    remove: 'Remove',
    copy: 'Copy',
    copied: 'Copied',
    next: 'Next',
    previous: 'Previous',
    all: 'All',
    name: 'Name',
    price: 'Price',
    status: 'Status',
    forSale: 'For sale',
    longTerm: 'Long-term rental',
    shortTerm: 'Short-term rental',
    onRequest: 'Price on request',
    aMonth: 'a month',
    aWeek: 'a week',
    notFound: 'This page does not exist',
    notFoundWhy: 'The address may be mistyped, or what it showed has been removed.',
    toHome: 'Go to Home',
    invalid: 'Not saved. Correct the fields marked below.',
    unavailable: 'The database is not responding. Try again in a moment.',
    unexpected: 'Something went wrong. Please quote this request ID:',
    unknownOrigin: 'This form was sent from another site, so nothing was changed.',
    notForm: 'Send the form as application/x-www-form-urlencoded.',
    disabled: 'The console is not set up: the setting SESSION_KEY is missing or too short.',
    mayNotChange: 'You can look at everything and change nothing',
    mayNotChangeWhy: 'Nothing was changed. An owner of the agency can make you an editor, under Settings, People.',
    ownersOnly: 'Only owners can do this',
    ownersOnlyWhy: 'Nothing was changed. Ask an owner of the agency: Settings, People shows who they are.',
    limited: 'Too many attempts. Try again in a minute.',
    was: 'was',
    pages: (page, pages) => `Page ${page} of ${pages}`,
    range: (from, to, total) => `${from}–${to} of ${total}`,
    roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
    severities: { error: 'Error', warning: 'Warning', info: 'Suggestion' },
    statuses: {
      Available: 'Available',
      'Under Offer': 'Under offer',
      'Sale Agreed': 'Sale agreed',
      Sold: 'Sold',
      Withdrawn: 'Withdrawn',
    },
    unitStatuses: { 1: 'Available', 2: 'On hold', 8: 'Reserved', 4: 'Sold' },
    compass: {
      N: 'North',
      NE: 'North-east',
      E: 'East',
      SE: 'South-east',
      S: 'South',
      SW: 'South-west',
      W: 'West',
      NW: 'North-west',
    },
  },
  es: {
    home: 'Inicio',
    properties: 'Inmuebles',
    developments: 'Promociones',
    portals: 'Portales',
    imports: 'Importaciones',
    report: 'Informe',
    settings: 'Ajustes',
    feed: 'Feed',
    apiReference: 'Referencia de la API',
    skip: 'Ir al contenido',
    menu: 'Principal',
    signIn: 'Entrar',
    signOut: 'Salir',
    save: 'Guardar',
    cancel: 'Cancelar',
    apply: 'Aplicar',
    search: 'Buscar',
    undo: 'Deshacer',
    remove: 'Eliminar',
    copy: 'Copiar',
    copied: 'Copiado',
    next: 'Siguiente',
    previous: 'Anterior',
    all: 'Todos',
    name: 'Nombre',
    price: 'Precio',
    status: 'Estado',
    forSale: 'En venta',
    longTerm: 'Alquiler de larga duración',
    shortTerm: 'Alquiler vacacional',
    onRequest: 'Precio a consultar',
    aMonth: 'al mes',
    aWeek: 'a la semana',
    notFound: 'Esta página no existe',
    notFoundWhy: 'Puede que la dirección esté mal escrita o que se haya eliminado lo que mostraba.',
    toHome: 'Ir al inicio',
    invalid: 'No se ha guardado. Corrija los campos indicados.',
    unavailable: 'La base de datos no responde. Inténtelo de nuevo en un momento.',
    unexpected: 'Se ha producido un error. Indique este identificador de solicitud:',
    unknownOrigin: 'Este formulario se envió desde otro sitio, así que no ha cambiado nada.',
    notForm: 'Envíe el formulario como application/x-www-form-urlencoded.',
    disabled: 'La consola no está configurada: falta SESSION_KEY, o es demasiado corta.',
    mayNotChange: 'Puede verlo todo, pero no cambiar nada',
    mayNotChangeWhy:
      'No ha cambiado nada. Un propietario de la agencia puede darle permiso de edición en Ajustes, Personas.',
    ownersOnly: 'Solo pueden hacerlo los propietarios',
    ownersOnlyWhy:
      'No ha cambiado nada. Pídaselo a un propietario de la agencia: en Ajustes, Personas puede ver quiénes son.',
    limited: 'Demasiados intentos. Inténtelo de nuevo en un minuto.',
    was: 'antes',
    pages: (page, pages) => `Página ${page} de ${pages}`,
    range: (from, to, total) => `${from}–${to} de ${total}`,
    roles: { owner: 'Propietario', editor: 'Editor', viewer: 'Solo lectura' },
    severities: { error: 'Error', warning: 'Aviso', info: 'Sugerencia' },
    statuses: {
      Available: 'Disponible',
      'Under Offer': 'Con oferta',
      'Sale Agreed': 'Venta acordada',
      Sold: 'Vendido',
      Withdrawn: 'Retirado',
    },
    unitStatuses: { 1: 'Disponible', 2: 'Bloqueada', 8: 'Reservada', 4: 'Vendida' },
    compass: {
      N: 'Norte',
      NE: 'Noreste',
      E: 'Este',
      SE: 'Sureste',
      S: 'Sur',
      SW: 'Suroeste',
      W: 'Oeste',
      NW: 'Noroeste',
    },
  },
};
