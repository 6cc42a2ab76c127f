import * as limits from './limits.ts';
import type { RuleTexts } from './texts.ts';

function number(value: number): string {
  return value.toLocaleString('es', { useGrouping: 'always' } as object);
}

/** The same in Spanish. */
export const SPANISH_RULE_TEXTS: RuleTexts = {
  no_price: {
    explanation:
      'No se conoce el precio, así que los feeds indican 0. Los portales rechazan el inmueble o lo muestran como gratuito.',
    fix: 'Indique un precio; un portal que tenga «a consultar» puede ocultarlo.',
  },
  price_negative: {
    explanation: 'Un precio es inferior a 0.',
    fix: 'Corrija el precio.',
  },
  sale_price_implausible: {
    explanation:
      'El precio de venta está fuera del intervalo que Trovit acepta para este tipo: parece un alquiler, o le sobra una cifra.',
    fix: 'Compruebe el precio y el tipo.',
  },
  rent_implausible: {
    explanation: 'El alquiler mensual está fuera del intervalo que Trovit acepta para este tipo.',
    fix: 'Compruebe el alquiler: es por mes.',
  },
  rent_exceeds_price: {
    explanation: `El alquiler de un mes supera el ${limits.RENT_OF_PRICE * 100} % del precio de venta: probablemente uno de los dos es erróneo.`,
    fix: 'Compruebe ambos.',
  },
  price_per_square_metre_implausible: {
    explanation: `El precio por metro cuadrado es inferior a ${number(limits.PER_SQUARE_METRE[0])} o superior a ${number(limits.PER_SQUARE_METRE[1])}: probablemente el precio o la superficie es errónea.`,
    fix: 'Compruebe el precio y la superficie construida.',
  },
  minimum_price_exceeds_price: {
    explanation: 'El precio mínimo es superior al precio.',
    fix: 'Corrija uno de los dos.',
  },
  low_season_exceeds_high_season: {
    explanation: 'El precio de temporada baja es superior al de temporada alta.',
    fix: 'Intercámbielos o corríjalos.',
  },
  price_not_whole: {
    explanation: 'Un precio tiene decimales. El esquema de Kyero y Property Showrooms exigen números enteros.',
    fix: 'Redondee el precio.',
  },
  price_outside_a_place_in_the_sun: {
    explanation: `A Place in the Sun acepta precios de ${number(limits.A_PLACE_IN_THE_SUN_PRICES[0])} a ${number(limits.A_PLACE_IN_THE_SUN_PRICES[1])}.`,
    fix: 'Nada, si el precio es correcto: este portal no mostrará el inmueble.',
  },
  price_below_james_edition: {
    explanation: `JamesEdition acepta inmuebles a partir de ${number(limits.JAMES_EDITION_PRICE)}.`,
    fix: 'Nada, si el precio es correcto: este portal no mostrará el inmueble.',
  },
  currency_unknown_to_kyero: {
    explanation: 'El esquema de Kyero solo tiene EUR, GBP y USD.',
    fix: 'Indique el precio en euros.',
  },
  yearly_costs_implausible: {
    explanation: `Los gastos anuales superan el ${limits.YEARLY_COSTS * 100} % del precio, o son inferiores a 0.`,
    fix: 'Compruebe los gastos de comunidad (por mes), el IBI y la tasa de basuras (por año).',
  },
  rental_license_missing: {
    explanation:
      'Un alquiler de corta duración no tiene licencia. En España los anuncios necesitan un número de registro desde el 1 de julio de 2025 (Real Decreto 1312/2024).',
    fix: 'Indique el número en la licencia del alquiler.',
  },
  no_pictures: {
    explanation: 'El inmueble no tiene fotos. Los portales lo rechazan o lo muestran al final.',
    fix: 'Añada fotos, al menos una del interior.',
  },
  few_pictures: {
    explanation: `El inmueble tiene menos de ${limits.FEW_PICTURES} fotos.`,
    fix: 'Añada una foto de cada habitación y del exterior.',
  },
  more_than_50_pictures: {
    explanation: `Kyero acepta ${limits.KYERO_PICTURES} fotos e ignora las demás.`,
    fix: `Ponga primero las ${limits.KYERO_PICTURES} mejores.`,
  },
  more_than_25_pictures: {
    explanation: `Green-Acres muestra ${limits.GREEN_ACRES_PICTURES} fotos.`,
    fix: `Ponga primero las ${limits.GREEN_ACRES_PICTURES} mejores.`,
  },
  picture_url_invalid: {
    explanation:
      'La dirección de una foto no es una URL completa con http o https, así que ningún portal puede obtenerla.',
    fix: 'Indique una URL completa, con los espacios y otros caracteres especiales codificados.',
  },
  picture_not_reachable: {
    explanation: 'La dirección de una foto lleva a una máquina privada o local, que ningún portal puede alcanzar.',
    fix: 'Publique la foto en un servidor público.',
  },
  picture_not_https: {
    explanation:
      'Una foto se sirve por http. Los navegadores la bloquean, o avisan, en portales que se sirven por https.',
    fix: 'Sirva las fotos por https.',
  },
  picture_repeated: {
    explanation: 'Una foto aparece más de una vez.',
    fix: 'Elimine la foto repetida.',
  },
  picture_not_an_image: {
    explanation: 'Una foto, por su nombre, no es una imagen sino un documento, un vídeo o una página.',
    fix: 'Elimínela, o póngala donde corresponde: un vídeo o una visita virtual tiene su propio nodo.',
  },
  picture_name_without_extension: {
    explanation:
      'El esquema de Kyero solo acepta fotos cuya URL termina en .jpg, .jpeg, .png o .gif, sin una consulta detrás.',
    fix: 'Dé a las fotos tales URL, con la versión en el nombre en lugar de una consulta.',
  },
  tour_url_invalid: {
    explanation: 'La visita virtual o el vídeo no es una URL completa con http o https.',
    fix: 'Indique la dirección de la propia visita o del vídeo, sin HTML alrededor.',
  },
  no_description: {
    explanation: 'El inmueble no tiene descripción en ningún idioma. Kyero, Trovit y otros la exigen.',
    fix: 'Escriba una descripción.',
  },
  description_under_30_characters: {
    explanation: `Trovit rechaza una descripción de menos de ${limits.TROVIT_DESCRIPTION} caracteres.`,
    fix: 'Escriba una descripción más larga.',
  },
  description_brief: {
    explanation: `Una descripción tiene menos de ${limits.BRIEF_DESCRIPTION} caracteres.`,
    fix: 'Describa las habitaciones, el estado y el entorno.',
  },
  description_in_capitals: {
    explanation: 'Una descripción está casi toda en mayúsculas.',
    fix: 'Escríbala en minúsculas.',
  },
  description_with_phone: {
    explanation:
      'Una descripción contiene un número de teléfono. Los portales eliminan o rechazan los datos de contacto en los textos.',
    fix: 'Elimine el número: los portales muestran el contacto de la cuenta.',
  },
  description_with_mail: {
    explanation:
      'Una descripción contiene una dirección de correo. Los portales eliminan o rechazan los datos de contacto en los textos.',
    fix: 'Elimine la dirección.',
  },
  description_with_web_address: {
    explanation:
      'Una descripción contiene una dirección web. Los portales eliminan o rechazan los enlaces en los textos.',
    fix: 'Elimine la dirección.',
  },
  description_with_html: {
    explanation: 'Una descripción contiene HTML, que los lectores muestran tal como está escrito.',
    fix: 'Escriba texto sin formato, con saltos de línea.',
  },
  description_placeholder: {
    explanation: 'Una descripción es un texto provisional.',
    fix: 'Escriba una descripción, o elimine el texto provisional.',
  },
  description_not_translated: {
    explanation: 'Las descripciones en dos idiomas son el mismo texto.',
    fix: 'Tradúzcala, o elimínela del otro idioma.',
  },
  no_town: {
    explanation: 'Falta la localidad. El esquema de Kyero la exige, y se busca por ella.',
    fix: 'Indique la localidad.',
  },
  no_province: {
    explanation: 'Falta la provincia. El esquema de Kyero la exige.',
    fix: 'Indique la provincia.',
  },
  place_name_too_long: {
    explanation: `El esquema de Kyero admite como máximo ${limits.KYERO_PLACE} caracteres en localidad y provincia.`,
    fix: 'Redúzcalo al propio nombre.',
  },
  province_unknown: {
    explanation:
      'La provincia no es ninguna de España, aunque el país es España: los portales no pueden situar el inmueble.',
    fix: 'Indique el nombre de la provincia, como Málaga, no el de una región o una costa.',
  },
  coordinates_missing: {
    explanation:
      'El inmueble no tiene coordenadas, así que no está en los mapas ni aparece en las búsquedas alrededor de un lugar.',
    fix: 'Indique latitud y longitud, si es preciso las de la zona.',
  },
  coordinates_zero: {
    explanation: 'Ambas coordenadas son 0, o ambas el mismo número: el inmueble se muestra en el mar.',
    fix: 'Corrija o elimine las coordenadas.',
  },
  coordinates_swapped: {
    explanation: 'La latitud y la longitud están intercambiadas.',
    fix: 'Intercámbielas.',
  },
  coordinates_outside_province: {
    explanation: 'Las coordenadas no están en la provincia.',
    fix: 'Corrija las coordenadas o la provincia.',
  },
  coordinates_imprecise: {
    explanation: `Las coordenadas tienen menos de ${limits.COORDINATE_DECIMALS} decimales, así que el lugar puede estar desviado un kilómetro.`,
    fix: `Indique al menos ${limits.COORDINATE_DECIMALS} decimales.`,
  },
  postcode_invalid: {
    explanation: 'El código postal no tiene cinco cifras, como los de España.',
    fix: 'Corrija el código postal; un 0 inicial forma parte de él.',
  },
  postcode_outside_province: {
    explanation: 'Las dos primeras cifras del código postal son las de otra provincia.',
    fix: 'Corrija el código postal o la provincia.',
  },
  no_beds: {
    explanation: 'Una vivienda que no es un estudio no tiene dormitorios.',
    fix: 'Indique el número de dormitorios, o el tipo de un estudio.',
  },
  beds_implausible: {
    explanation: `Hay más de ${limits.MOST_ROOMS} dormitorios, el máximo que acepta Trovit.`,
    fix: 'Compruebe el número: puede ser una superficie o un precio.',
  },
  no_baths: {
    explanation: `Una vivienda no tiene baños. Trovit acepta de 1 a ${limits.MOST_ROOMS}.`,
    fix: 'Indique el número de baños.',
  },
  baths_implausible: {
    explanation: `Hay más de ${limits.MOST_ROOMS} baños, o muchos más que dormitorios.`,
    fix: 'Compruebe el número.',
  },
  no_built_area: {
    explanation: 'Una vivienda no tiene superficie construida, por la que se busca y se compara.',
    fix: 'Indique la superficie construida en metros cuadrados.',
  },
  built_area_implausible: {
    explanation: `La superficie construida está fuera de los ${number(limits.FLOOR[0])} a ${number(limits.FLOOR[1])} metros cuadrados que acepta Trovit.`,
    fix: 'Compruebe la superficie: es en metros cuadrados.',
  },
  area_too_small_for_beds: {
    explanation: `Hay menos de ${limits.LEAST_PER_BED} metros cuadrados por dormitorio.`,
    fix: 'Compruebe la superficie y el número de dormitorios.',
  },
  living_area_exceeds_built_area: {
    explanation: 'La superficie útil es mayor que la construida.',
    fix: 'Intercámbielas o corríjalas.',
  },
  no_plot_area: {
    explanation: 'Una parcela no tiene superficie.',
    fix: 'Indique la superficie de la parcela en metros cuadrados.',
  },
  detached_without_plot: {
    explanation: 'Una casa independiente no tiene superficie de su parcela.',
    fix: 'Indique la superficie de la parcela en metros cuadrados.',
  },
  built_year_implausible: {
    explanation: `El año de construcción es anterior a ${limits.OLDEST}, el primero que acepta Trovit, o más de ${limits.YEARS_AHEAD} años posterior al actual.`,
    fix: 'Compruebe el año.',
  },
  energy_rating_missing: {
    explanation:
      'Falta la calificación energética. En España todo anuncio de venta o alquiler debe indicarla (Real Decreto 390/2021, artículo 15).',
    fix: 'Indique las letras de consumo y de emisiones del certificado.',
  },
  energy_rating_incomplete: {
    explanation: 'Solo se indica una de las dos letras de la calificación energética.',
    fix: 'Indique ambas: consumo y emisiones.',
  },
  no_subtype: {
    explanation: 'El tipo no tiene subtipo. Los lectores que buscan ambos muestran el inmueble como «Otros».',
    fix: 'Elija un tipo más preciso, como apartamento en planta baja.',
  },
  type_unknown: {
    explanation:
      'El tipo no es ninguno que otros programas conozcan, así que muestran el inmueble como «Otros» o no lo muestran.',
    fix: 'Elija un tipo del vocabulario incorporado, o asigne el nombre con --names al importar.',
  },
  type_not_translated: {
    explanation: 'El tipo no tiene nombre en un idioma en el que el inmueble tiene descripción.',
    fix: 'Añada el nombre al vocabulario.',
  },
  feature_not_translated: {
    explanation: 'Hay características sin nombre en un idioma en el que el inmueble tiene descripción.',
    fix: 'Añada los nombres al vocabulario, o asígnelos con --names al importar.',
  },
  no_features: {
    explanation: 'El inmueble no tiene características, por las que se filtra.',
    fix: 'Indique sus características.',
  },
  more_than_50_features: {
    explanation: `El esquema de Kyero acepta ${limits.MOST_FEATURES} características.`,
    fix: `Deje las ${limits.MOST_FEATURES} que importan.`,
  },
  pool_contradicts_features: {
    explanation:
      'El inmueble tiene una piscina entre sus características pero está marcado como si no la tuviera, así que no aparece al buscar una piscina.',
    fix: 'Márquelo como inmueble con piscina.',
  },
  id_too_long: {
    explanation: `El esquema de Kyero acepta identificadores de ${limits.LONGEST_ID} caracteres como máximo.`,
    fix: 'Dele un identificador más corto.',
  },
  reference_too_long: {
    explanation: `Property Showrooms acepta referencias de ${limits.LONGEST_REFERENCE} caracteres como máximo.`,
    fix: 'Dele una referencia más corta.',
  },
  cadastral_reference_invalid: {
    explanation: 'La referencia catastral no es una de España: estas tienen 14 o 20 letras y cifras.',
    fix: 'Cópiela del recibo del IBI o del Catastro.',
  },
  listed_in_the_future: {
    explanation: 'La fecha de publicación está en el futuro.',
    fix: 'Corrija la fecha.',
  },
  not_updated_for_a_year: {
    explanation:
      'Nada del inmueble ha cambiado durante un año. Los portales lo muestran al final, y los lectores dudan de que esté en venta.',
    fix: 'Pregunte al propietario y revise precio, texto y fotos, o retírelo.',
  },
  reserved_for_months: {
    explanation: `El inmueble está reservado, sin cambios, desde hace más de ${limits.DAYS_RESERVED} días.`,
    fix: 'Márquelo como vendido, o de nuevo como disponible.',
  },
  description_missing_in_language: {
    explanation:
      'Falta la descripción en un idioma que se espera: uno que se ha pedido, o que tiene la mitad de los inmuebles.',
    fix: 'Traduzca la descripción.',
  },
  description_repeated: {
    explanation:
      'Varios inmuebles tienen la misma descripción. Los buscadores y los portales solo muestran uno de ellos.',
    fix: 'Escriba lo que distingue a cada uno.',
  },
  property_repeated: {
    explanation:
      'Otro inmueble tiene el mismo tipo, precio, habitaciones, superficies y localidad: puede ser el mismo dos veces.',
    fix: 'Retire uno de ellos, o corrija lo que es distinto.',
  },
  reference_repeated: {
    explanation: 'Varios inmuebles tienen la misma referencia, así que una consulta no indica a cuál se refiere.',
    fix: 'Dé a cada uno su propia referencia.',
  },
  first_picture_repeated: {
    explanation: 'Varios inmuebles tienen la misma primera foto.',
    fix: 'Ponga primero una foto del propio inmueble.',
  },
  place_shared_by_many: {
    explanation: `Más de ${limits.MOST_AT_A_PLACE} inmuebles tienen las mismas coordenadas: probablemente las de la oficina o las de la localidad.`,
    fix: 'Dé a cada uno su propio lugar.',
  },
};
