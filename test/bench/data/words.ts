import type { Random } from '../../support/random.ts';

const ENGLISH = `the and of a in to with is from for this on at property villa sea views has bedrooms two three large
  terrace pool garden private located Marbella beach apartment very close kitchen fitted fully living room new minutes
  walk golf area south facing each bathroom suite air conditioning underground parking storage complex gated security
  quiet modern style built high quality marble floors double glazing fireplace lounge dining open plan direct access
  covered uncovered solarium barbecue mature tropical gardens communal swimming mountain panoramic Mediterranean coast
  amenities restaurants shops schools international airport Málaga Estepona Benahavís Nueva Andalucía Puerto Banús
  ground floor upper level basement guest toilet wardrobes underfloor heating alarm system electric blinds laundry
  furnished unfurnished renovated recently completed architect designed contemporary traditional Andalusian finca
  plot fenced irrigation fruit trees avocado olive stables horses garage cars carport lift urbanisation frontline
  second line investment rental potential holiday home permanent residence opportunity exclusive unique luxurious
  spacious bright sunny charming elegant stunning magnificent spectacular breathtaking unobstructed evening sun
  morning light breakfast table chairs loungers shower outdoor jacuzzi sauna gym cinema wine cellar office study
  library staff quarters independent apartment penthouse duplex townhouse semi-detached corner south-west orientation
  community fees low yearly taxes paid price reduced negotiable viewing recommended highly please contact us today
  energy certificate in progress A&B appliances Siemens Bosch granite worktops island breakfast bar utility pantry
  ceilings beams wooden doors windows glass balustrades sliding pockets mosquito nets shutters safe video entry fibre
  optic internet satellite television ready move keys hand built-in fitted surrounded nature reserve park promenade
  harbour marina sailing tennis paddle clubs five-star hotel spa hospital motorway toll station bus taxi children
  playground families couples retirement golfers countryside village whitewashed streets old town cathedral square
  market fish fresh vegetables tapas bars nightlife culture museums Picasso history Roman Moorish castle hills river
  lake forest cork oak trails cycling hiking winter summer months degrees microclimate sheltered wind levante poniente`;

const SPANISH = `de la y con en el a una que es para los las por se un del vistas al mar villa piscina jardín privado
  terraza dormitorios baños cocina salón amplia amplio muy cerca playa Marbella zona urbanización cerrada seguridad
  orientación sur aire acondicionado garaje trastero totalmente equipada independiente comedor chimenea suelos mármol
  doble acristalamiento armarios empotrados calefacción radiante planta baja primera segunda sótano solárium barbacoa
  jardines tropicales comunitaria montaña panorámicas Mediterráneo costa servicios restaurantes tiendas colegios
  internacionales aeropuerto Málaga Estepona Benahavís Nueva Andalucía Puerto Banús aseo invitados lavandería
  persianas eléctricas sistema alarma amueblado reformado recientemente construcción moderna estilo contemporáneo
  andaluz tradicional finca parcela vallada riego automático árboles frutales aguacates olivos cuadras caballos coches
  ascensor primera línea golf inversión alquiler vacacional residencia permanente oportunidad exclusiva única lujosa
  espaciosa luminosa soleada encantadora elegante impresionante espectacular despejadas tarde mañana desayuno mesa
  sillas hamacas ducha exterior jacuzzi sauna gimnasio cine bodega despacho estudio biblioteca servicio ático dúplex
  adosada pareada esquina suroeste gastos comunidad bajos impuestos anuales precio rebajado negociable visita
  recomendada contacte hoy mismo certificado energético trámite electrodomésticos Siemens Bosch encimeras granito isla
  barra despensa techos vigas madera puertas ventanas cristal correderas mosquiteras caja fuerte videoportero fibra
  óptica internet satélite televisión lista entrar vivir llaves rodeada naturaleza reserva parque paseo marítimo puerto
  deportivo vela tenis pádel club hotel cinco estrellas hospital autopista estación autobús taxi niños parque infantil
  familias parejas jubilación golfistas campo pueblo blanco calles casco antiguo catedral plaza mercado pescado fresco
  verduras tapas bares vida nocturna cultura museos Picasso historia romano árabe castillo colinas río lago bosque
  alcornoques senderos bicicleta senderismo invierno verano meses grados microclima protegida viento levante poniente`;

const RUSSIAN = `и в на с из для по от до к у о при над без вилла дом квартира спальня спальни ванная кухня гостиная
  терраса сад бассейн гараж море вид на горы пляж центр город школа магазины рестораны гольф первая линия новый просторный
  светлый уютный современный южная сторона кондиционер мебель техника охраняемый закрытый комплекс аренда продажа инвестиция`;

const WORDS = { uk: ENGLISH.split(/\s+/), es: SPANISH.split(/\s+/), ru: RUSSIAN.split(/\s+/) };

/** A description of about `bytes` bytes in UTF-8, in sentences and paragraphs, with a few characters that XML escapes. */
export function description(random: Random, language: keyof typeof WORDS, bytes: number): string {
  const words = WORDS[language];
  let text = '';
  while (Buffer.byteLength(text) < bytes - 60) {
    const sentence = Array.from({ length: random.between(7, 16) }, () => random.pickSkewed(words)).join(' ');
    const measure = random.next() < 0.3 ? ` (${random.between(12, 980)} m²)` : '';
    text += `${sentence[0]!.toUpperCase()}${sentence.slice(1)}${measure}.${random.next() < 0.15 ? '\n\n' : ' '}`;
  }
  return text.trimEnd();
}
