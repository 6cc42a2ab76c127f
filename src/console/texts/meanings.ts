import { EFFECTS as KYERO } from '../../feed/formats/kyero/effects.ts';
import { EFFECTS as RESALES } from '../../feed/formats/resales/effects.ts';
import type { Language } from './language.ts';

type Meanings<Effects> = Readonly<Record<keyof Effects, string>>;

const KYERO_IN_SPANISH: Meanings<typeof KYERO> = {
  T: 'Solo inmuebles con este tipo de oferta, y solo los registros de esas ofertas',
  Language:
    'Idiomas de las descripciones y de las páginas web: del 1 al 10 como en el otro formato, 11 italiano, 12 portugués, ' +
    '13 finés, 14 catalán; por defecto, todos. Kyero no tiene polaco',
  IC: 'Máximo de fotos por inmueble; 0 para todas. El esquema de Kyero permite 50',
  NW: 'Solo inmuebles marcados para la web propia y para las de otros agentes',
  ExRented: 'Excluye los inmuebles alquilados',
  OnlyAvailable: 'Excluye Under Offer y Sale Agreed',
  ShortTerm: 'Incluye los alquileres de corta duración, con precios semanales, que Kyero ya no acepta',
  Extended: 'Añade nodos que los programas leen, pero que el esquema de Kyero no permite',
};

const RESALES_IN_SPANISH: Meanings<typeof RESALES> = {
  FV: 'Versión del feed',
  T: 'Solo inmuebles con este tipo de oferta, y solo sus nodos',
  Language:
    'Idiomas de los tipos, las características y las descripciones: 1 inglés, 2 español, 3 alemán, 4 francés, ' +
    '5 neerlandés, 6 danés, 7 ruso, 8 sueco, 9 polaco, 10 noruego',
  IC: 'Máximo de fotos por inmueble; 0 para todas',
  VT: '1: visitas virtuales; 2: visitas virtuales y vídeos',
  N: 'El feed, si tiene menos registros; si no, un error que indica cuántos tiene',
  P_PageNo: '1: el feed; cualquier otra página: un documento sin registros',
  Ref: 'Un error: un feed no se puede reducir a un solo registro',
  NW: 'Solo inmuebles marcados para la web propia y para las de otros agentes',
  ExRented: 'Excluye los inmuebles alquilados',
  OnlyAvailable: 'Excluye Under Offer y Sale Agreed',
  DisplayListingDate: 'Añade listing_date y ordena por esa fecha, primero los más recientes',
  AR: 'Alquileres de larga y de corta duración como registros separados',
  ARP: 'Precios semanales de temporada baja y alta de los alquileres de corta duración',
  ShowRTA: 'Número de licencia de los alquileres de corta duración',
  ST: 'Terraza en surface_area',
  NPT: 'Tipos y subtipos actuales en lugar de los anteriores',
  ER_Show: 'Emisiones de CO2',
  ER_ShowAll: 'Emisiones de CO2 y consumo de energía',
};

const MEANINGS: Readonly<Record<Language, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  en: { kyero: KYERO, resales: RESALES },
  es: { kyero: KYERO_IN_SPANISH, resales: RESALES_IN_SPANISH },
};

/** What a parameter of a format does, as the beginning of a sentence without its full stop. */
export function meaningOf(format: string, parameter: string, language: Language): string {
  const meaning = (MEANINGS[language][format]?.[parameter] ?? parameter).replaceAll('`', '');
  return `${meaning[0]!.toUpperCase()}${meaning.slice(1)}`;
}
