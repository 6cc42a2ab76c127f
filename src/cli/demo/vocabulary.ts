import { LANGUAGES } from '../../lib/languages.ts';
import type { CategoryDocument, FeatureDocument, TypeDocument } from '../../portfolio/documents.ts';
import { type InTenLanguages, inTenLanguages } from './languages.ts';

/** How a type of property is built, priced and described. */
export type Nature = 'flat' | 'house' | 'plot' | 'premises';

/** A type of property of the demo agencies. */
export interface DemoType {
  readonly code: string;
  readonly nature: Nature;
  /** Words for the older type, and for the current type and subtype. */
  readonly older: InTenLanguages;
  readonly type: InTenLanguages;
  readonly subtype: InTenLanguages | null;
}

const APARTMENT = inTenLanguages(
  'Apartment | Apartamento | Wohnung | Appartement | Appartement | Lejlighed | Апартаменты | Lägenhet | Apartament | Leilighet',
);
const PENTHOUSE = inTenLanguages(
  'Penthouse | Ático | Penthouse | Penthouse | Penthouse | Penthouse | Пентхаус | Takvåning | Penthouse | Toppleilighet',
);
const DUPLEX = inTenLanguages(
  'Duplex | Dúplex | Maisonette | Duplex | Duplex | Duplekslejlighed | Дуплекс | Etagelägenhet | Dupleks | Dupleksleilighet',
);
const STUDIO = inTenLanguages(
  'Studio | Estudio | Studio | Studio | Studio | Studiolejlighed | Студия | Studio | Kawalerka | Studioleilighet',
);
const HOUSE = inTenLanguages('House | Casa | Haus | Maison | Huis | Hus | Дом | Hus | Dom | Hus');
const VILLA = inTenLanguages('Villa | Chalet | Villa | Villa | Villa | Villa | Вилла | Villa | Willa | Villa');
const SEMI_DETACHED = inTenLanguages(
  'Semi-detached house | Casa pareada | Doppelhaushälfte | Maison jumelée | Halfvrijstaand huis | Dobbelthus | Дом на две семьи | Parhus | Bliźniak | Tomannsbolig',
);
const TOWNHOUSE = inTenLanguages(
  'Townhouse | Casa adosada | Reihenhaus | Maison mitoyenne | Rijtjeshuis | Rækkehus | Таунхаус | Radhus | Szeregowiec | Rekkehus',
);
const COUNTRY_HOUSE = inTenLanguages(
  'Country house | Casa de campo | Landhaus | Maison de campagne | Landhuis | Landsted | Загородный дом | Lanthus | Dom wiejski | Landsted',
);
const PLOT = inTenLanguages(
  'Plot | Parcela | Grundstück | Terrain | Perceel | Grund | Земельный участок | Tomt | Działka | Tomt',
);
const COMMERCIAL = inTenLanguages(
  'Commercial premises | Local comercial | Gewerbeobjekt | Local commercial | Bedrijfsruimte | Erhvervslokale | Коммерческая недвижимость | Kommersiell lokal | Lokal użytkowy | Næringslokale',
);
const PARKING = inTenLanguages(
  'Parking space | Plaza de garaje | Stellplatz | Place de parking | Parkeerplaats | Parkeringsplads | Парковочное место | Parkeringsplats | Miejsce parkingowe | Parkeringsplass',
);

const TYPES: readonly (readonly [
  code: string,
  Nature,
  older: InTenLanguages,
  type: InTenLanguages,
  subtype: string | null,
])[] = [
  [
    'apartment-ground',
    'flat',
    APARTMENT,
    APARTMENT,
    'Ground floor apartment | Apartamento en planta baja | Erdgeschosswohnung | Appartement en rez-de-chaussée | Appartement op de begane grond | Lejlighed i stueplan | Апартаменты на первом этаже | Lägenhet på bottenplan | Apartament na parterze | Leilighet i første etasje',
  ],
  [
    'apartment-middle',
    'flat',
    APARTMENT,
    APARTMENT,
    'Middle floor apartment | Apartamento en planta media | Etagenwohnung | Appartement à un étage intermédiaire | Appartement op een tussenverdieping | Lejlighed på mellemetage | Апартаменты на среднем этаже | Lägenhet på mellanplan | Apartament na środkowym piętrze | Leilighet i midtre etasje',
  ],
  [
    'apartment-top',
    'flat',
    APARTMENT,
    APARTMENT,
    'Top floor apartment | Apartamento en última planta | Wohnung im obersten Stock | Appartement au dernier étage | Appartement op de bovenste verdieping | Lejlighed på øverste etage | Апартаменты на верхнем этаже | Lägenhet på översta våningen | Apartament na ostatnim piętrze | Leilighet i øverste etasje',
  ],
  [
    'penthouse',
    'flat',
    PENTHOUSE,
    APARTMENT,
    'Penthouse | Ático | Penthouse | Penthouse | Penthouse | Penthouse | Пентхаус | Takvåning | Penthouse | Toppleilighet',
  ],
  [
    'penthouse-duplex',
    'flat',
    PENTHOUSE,
    APARTMENT,
    'Duplex penthouse | Ático dúplex | Penthouse-Maisonette | Penthouse en duplex | Duplex-penthouse | Penthouse i to plan | Двухуровневый пентхаус | Takvåning i två plan | Dwupoziomowy penthouse | Toppleilighet over to plan',
  ],
  [
    'duplex',
    'flat',
    DUPLEX,
    APARTMENT,
    'Duplex | Dúplex | Maisonette | Duplex | Duplex | Duplekslejlighed | Дуплекс | Etagelägenhet | Dupleks | Dupleksleilighet',
  ],
  [
    'studio-ground',
    'flat',
    STUDIO,
    APARTMENT,
    'Ground floor studio | Estudio en planta baja | Studio im Erdgeschoss | Studio en rez-de-chaussée | Studio op de begane grond | Studiolejlighed i stueplan | Студия на первом этаже | Studio på bottenplan | Kawalerka na parterze | Studioleilighet i første etasje',
  ],
  [
    'studio-middle',
    'flat',
    STUDIO,
    APARTMENT,
    'Middle floor studio | Estudio en planta media | Studio im mittleren Stock | Studio à un étage intermédiaire | Studio op een tussenverdieping | Studiolejlighed på mellemetage | Студия на среднем этаже | Studio på mellanplan | Kawalerka na środkowym piętrze | Studioleilighet i midtre etasje',
  ],
  [
    'villa',
    'house',
    VILLA,
    HOUSE,
    'Detached villa | Villa independiente | Freistehende Villa | Villa individuelle | Vrijstaande villa | Fritliggende villa | Отдельно стоящая вилла | Fristående villa | Willa wolnostojąca | Frittliggende villa',
  ],
  [
    'bungalow',
    'house',
    VILLA,
    HOUSE,
    'Bungalow | Bungalow | Bungalow | Plain-pied | Bungalow | Bungalow | Бунгало | Bungalow | Bungalow | Bungalow',
  ],
  [
    'semi-detached',
    'house',
    SEMI_DETACHED,
    HOUSE,
    'Semi-detached house | Casa pareada | Doppelhaushälfte | Maison jumelée | Halfvrijstaand huis | Dobbelthus | Дом на две семьи | Parhus | Bliźniak | Tomannsbolig',
  ],
  [
    'townhouse',
    'house',
    TOWNHOUSE,
    HOUSE,
    'Terraced house | Casa adosada | Reihenhaus | Maison mitoyenne | Rijtjeshuis | Rækkehus | Таунхаус | Radhus | Szeregowiec | Rekkehus',
  ],
  [
    'townhouse-corner',
    'house',
    TOWNHOUSE,
    HOUSE,
    'Corner terraced house | Casa adosada en esquina | Reiheneckhaus | Maison mitoyenne d’angle | Hoekwoning | Enderækkehus | Угловой таунхаус | Gavelradhus | Szeregowiec narożny | Enderekkehus',
  ],
  [
    'finca',
    'house',
    COUNTRY_HOUSE,
    HOUSE,
    'Finca | Finca | Finca | Finca | Finca | Finca | Финка | Finca | Finca | Finca',
  ],
  [
    'cortijo',
    'house',
    COUNTRY_HOUSE,
    HOUSE,
    'Farmhouse | Cortijo | Bauernhaus | Ferme | Boerderij | Bondegård | Усадьба | Bondgård | Gospodarstwo | Gårdshus',
  ],
  [
    'plot-residential',
    'plot',
    PLOT,
    PLOT,
    'Residential plot | Parcela residencial | Wohnbaugrundstück | Terrain résidentiel | Bouwkavel voor woningen | Byggegrund til bolig | Участок под жильё | Bostadstomt | Działka budowlana | Boligtomt',
  ],
  [
    'plot-rustic',
    'plot',
    PLOT,
    PLOT,
    'Rustic land | Terreno rústico | Landwirtschaftliches Grundstück | Terrain rural | Landbouwgrond | Landbrugsjord | Сельский участок | Jordbruksmark | Działka rolna | Landbruksjord',
  ],
  [
    'shop',
    'premises',
    COMMERCIAL,
    COMMERCIAL,
    'Shop | Tienda | Ladenlokal | Boutique | Winkel | Butik | Магазин | Butik | Sklep | Butikk',
  ],
  [
    'office',
    'premises',
    COMMERCIAL,
    COMMERCIAL,
    'Office | Oficina | Büro | Bureau | Kantoor | Kontor | Офис | Kontor | Biuro | Kontor',
  ],
  [
    'restaurant',
    'premises',
    COMMERCIAL,
    COMMERCIAL,
    'Restaurant | Restaurante | Restaurant | Restaurant | Restaurant | Restaurant | Ресторан | Restaurang | Restauracja | Restaurant',
  ],
  ['parking', 'premises', PARKING, PARKING, null],
];

/** The types that the demo agencies sell and let. */
export const DEMO_TYPES: readonly DemoType[] = TYPES.map(([code, nature, older, type, subtype]) => ({
  code,
  nature,
  older,
  type,
  subtype: subtype === null ? null : inTenLanguages(subtype),
}));

/** Categories of features, and the features of each: lines of labels in the ten languages. */
const FEATURES: Readonly<Record<string, readonly [category: string, ...features: string[]]>> = {
  Setting: [
    'Setting | Ubicación | Lage | Situation | Ligging | Beliggenhed | Расположение | Läge | Położenie | Beliggenhet',
    'Beachfront | Primera línea de playa | Erste Strandreihe | Front de mer | Eerstelijns strand | Første række til stranden | Первая линия пляжа | Första linjen till stranden | Pierwsza linia od plaży | Første linje til stranden',
    'Frontline golf | Primera línea de golf | Erste Golflinie | Première ligne de golf | Eerstelijns golf | Første række til golfbanen | Первая линия гольфа | Första linjen till golfbanan | Pierwsza linia pola golfowego | Første linje til golfbanen',
    'Town | Ciudad | Stadt | Ville | Stad | By | Город | Stad | Miasto | By',
    'Village | Pueblo | Dorf | Village | Dorp | Landsby | Деревня | By | Wieś | Landsby',
    'Countryside | Campo | Land | Campagne | Platteland | Landet | Сельская местность | Landsbygd | Okolica wiejska | Landlig',
    'Close to the port | Cerca del puerto | Hafennähe | Proche du port | Dicht bij de haven | Tæt på havnen | Рядом с портом | Nära hamnen | Blisko portu | Nær havnen',
    'Close to shops | Cerca de tiendas | Nahe Geschäften | Proche des commerces | Dicht bij winkels | Tæt på butikker | Рядом с магазинами | Nära butiker | Blisko sklepów | Nær butikker',
    'Close to schools | Cerca de colegios | Nahe Schulen | Proche des écoles | Dicht bij scholen | Tæt på skoler | Рядом со школами | Nära skolor | Blisko szkół | Nær skoler',
    'Gated community | Urbanización cerrada | Geschlossene Wohnanlage | Résidence fermée | Afgesloten wooncomplex | Lukket boligområde | Закрытый жилой комплекс | Inhägnat bostadsområde | Osiedle zamknięte | Lukket boligområde',
  ],
  Orientation: [
    'Orientation | Orientación | Ausrichtung | Orientation | Oriëntatie | Orientering | Ориентация | Väderstreck | Orientacja | Himmelretning',
    'North | Norte | Nord | Nord | Noord | Nord | Север | Norr | Północ | Nord',
    'South | Sur | Süd | Sud | Zuid | Syd | Юг | Söder | Południe | Sør',
    'East | Este | Ost | Est | Oost | Øst | Восток | Öster | Wschód | Øst',
    'West | Oeste | West | Ouest | West | Vest | Запад | Väster | Zachód | Vest',
    'North East | Noreste | Nordost | Nord-est | Noordoost | Nordøst | Северо-восток | Nordost | Północny wschód | Nordøst',
    'North West | Noroeste | Nordwest | Nord-ouest | Noordwest | Nordvest | Северо-запад | Nordväst | Północny zachód | Nordvest',
    'South East | Sureste | Südost | Sud-est | Zuidoost | Sydøst | Юго-восток | Sydost | Południowy wschód | Sørøst',
    'South West | Suroeste | Südwest | Sud-ouest | Zuidwest | Sydvest | Юго-запад | Sydväst | Południowy zachód | Sørvest',
  ],
  Condition: [
    'Condition | Estado | Zustand | État | Staat | Stand | Состояние | Skick | Stan | Tilstand',
    'Excellent | Excelente | Ausgezeichnet | Excellent | Uitstekend | Fremragende | Отличное | Utmärkt | Doskonały | Utmerket',
    'Good | Bueno | Gut | Bon | Goed | God | Хорошее | Gott | Dobry | God',
    'Recently renovated | Reformado recientemente | Kürzlich renoviert | Récemment rénové | Onlangs gerenoveerd | Nyligt renoveret | Недавно отремонтировано | Nyligen renoverat | Niedawno odnowiony | Nylig pusset opp',
    'To be renovated | Para reformar | Renovierungsbedürftig | À rénover | Te renoveren | Trænger til renovering | Требует ремонта | Renoveringsobjekt | Do remontu | Trenger oppussing',
  ],
  Pool: [
    'Pool | Piscina | Pool | Piscine | Zwembad | Pool | Бассейн | Pool | Basen | Basseng',
    'Communal pool | Piscina comunitaria | Gemeinschaftspool | Piscine commune | Gemeenschappelijk zwembad | Fælles pool | Общий бассейн | Gemensam pool | Basen wspólny | Felles basseng',
    'Private pool | Piscina privada | Privatpool | Piscine privée | Privézwembad | Privat pool | Собственный бассейн | Privat pool | Basen prywatny | Privat basseng',
    'Heated pool | Piscina climatizada | Beheizter Pool | Piscine chauffée | Verwarmd zwembad | Opvarmet pool | Бассейн с подогревом | Uppvärmd pool | Basen podgrzewany | Oppvarmet basseng',
    'Room for a pool | Espacio para piscina | Platz für einen Pool | Espace pour une piscine | Ruimte voor een zwembad | Plads til pool | Место для бассейна | Plats för pool | Miejsce na basen | Plass til basseng',
  ],
  'Climate control': [
    'Climate control | Climatización | Klimatisierung | Climatisation et chauffage | Klimaatregeling | Klimaanlæg og varme | Климат-контроль | Klimatkontroll | Klimatyzacja i ogrzewanie | Klimakontroll',
    'Air conditioning | Aire acondicionado | Klimaanlage | Climatisation | Airconditioning | Aircondition | Кондиционер | Luftkonditionering | Klimatyzacja | Klimaanlegg',
    'Central heating | Calefacción central | Zentralheizung | Chauffage central | Centrale verwarming | Centralvarme | Центральное отопление | Centralvärme | Centralne ogrzewanie | Sentralvarme',
    'Fireplace | Chimenea | Kamin | Cheminée | Open haard | Pejs | Камин | Öppen spis | Kominek | Peis',
    'Underfloor heating | Suelo radiante | Fußbodenheizung | Chauffage au sol | Vloerverwarming | Gulvvarme | Тёплый пол | Golvvärme | Ogrzewanie podłogowe | Gulvvarme',
    'Heat pump | Bomba de calor | Wärmepumpe | Pompe à chaleur | Warmtepomp | Varmepumpe | Тепловой насос | Värmepump | Pompa ciepła | Varmepumpe',
  ],
  Views: [
    'Views | Vistas | Aussicht | Vues | Uitzicht | Udsigt | Виды | Utsikt | Widoki | Utsikt',
    'Sea | Mar | Meer | Mer | Zee | Hav | Море | Hav | Morze | Hav',
    'Mountain | Montaña | Berge | Montagne | Bergen | Bjerge | Горы | Berg | Góry | Fjell',
    'Golf | Golf | Golf | Golf | Golf | Golf | Гольф | Golf | Golf | Golf',
    'Garden | Jardín | Garten | Jardin | Tuin | Have | Сад | Trädgård | Ogród | Hage',
    'Pool | Piscina | Pool | Piscine | Zwembad | Pool | Бассейн | Pool | Basen | Basseng',
    'Port | Puerto | Hafen | Port | Haven | Havn | Порт | Hamn | Port | Havn',
    'Panoramic | Panorámicas | Panorama | Panoramiques | Panoramisch | Panorama | Панорама | Panorama | Panorama | Panorama',
    'Street | Calle | Straße | Rue | Straat | Gade | Улица | Gata | Ulica | Gate',
  ],
  Features: [
    'Features | Características | Ausstattung | Caractéristiques | Kenmerken | Faciliteter | Особенности | Egenskaper | Cechy | Egenskaper',
    'Lift | Ascensor | Aufzug | Ascenseur | Lift | Elevator | Лифт | Hiss | Winda | Heis',
    'Fitted wardrobes | Armarios empotrados | Einbauschränke | Placards intégrés | Inbouwkasten | Indbyggede skabe | Встроенные шкафы | Inbyggda garderober | Szafy wnękowe | Innebygde garderober',
    'Private terrace | Terraza privada | Eigene Terrasse | Terrasse privée | Privéterras | Privat terrasse | Собственная терраса | Privat terrass | Prywatny taras | Privat terrasse',
    'Solarium | Solárium | Dachterrasse | Solarium | Dakterras | Solterrasse | Солярий | Solterrass | Taras słoneczny | Solterrasse',
    'Storage room | Trastero | Abstellraum | Débarras | Berging | Opbevaringsrum | Кладовая | Förråd | Komórka lokatorska | Bod',
    'En-suite bathroom | Baño en suite | Bad en suite | Salle de bains attenante | En-suite badkamer | Eget badeværelse | Ванная при спальне | Eget badrum | Łazienka przy sypialni | Eget bad',
    'Marble floors | Suelos de mármol | Marmorböden | Sols en marbre | Marmeren vloeren | Marmorgulve | Мраморные полы | Marmorgolv | Marmurowe podłogi | Marmorgulv',
    'Double glazing | Doble acristalamiento | Doppelverglasung | Double vitrage | Dubbele beglazing | Termoruder | Двойное остекление | Tvåglasfönster | Podwójne szyby | Doble vinduer',
    'Barbecue | Barbacoa | Grill | Barbecue | Barbecue | Grill | Барбекю | Grill | Grill | Grill',
    'Jacuzzi | Jacuzzi | Whirlpool | Jacuzzi | Jacuzzi | Jacuzzi | Джакузи | Jacuzzi | Jacuzzi | Boblebad',
    'Gym | Gimnasio | Fitnessraum | Salle de sport | Fitnessruimte | Fitnessrum | Тренажёрный зал | Gym | Siłownia | Treningsrom',
    'Tennis court | Pista de tenis | Tennisplatz | Court de tennis | Tennisbaan | Tennisbane | Теннисный корт | Tennisbana | Kort tenisowy | Tennisbane',
    'Fibre internet | Fibra óptica | Glasfaseranschluss | Fibre optique | Glasvezel | Fibernet | Оптоволокно | Fiber | Światłowód | Fiber',
    'Solar panels | Paneles solares | Solaranlage | Panneaux solaires | Zonnepanelen | Solpaneler | Солнечные батареи | Solpaneler | Panele słoneczne | Solcellepaneler',
  ],
  Security: [
    'Security | Seguridad | Sicherheit | Sécurité | Beveiliging | Sikkerhed | Безопасность | Säkerhet | Bezpieczeństwo | Sikkerhet',
    'Alarm system | Alarma | Alarmanlage | Alarme | Alarmsysteem | Alarmanlæg | Сигнализация | Larm | Alarm | Alarmanlegg',
    'Entry phone | Portero automático | Gegensprechanlage | Interphone | Intercom | Dørtelefon | Домофон | Porttelefon | Domofon | Porttelefon',
    '24-hour security | Seguridad 24 horas | Sicherheitsdienst rund um die Uhr | Sécurité 24 h sur 24 | 24-uursbewaking | Vagt døgnet rundt | Круглосуточная охрана | Bevakning dygnet runt | Ochrona całodobowa | Vakt døgnet rundt',
    'Safe | Caja fuerte | Tresor | Coffre-fort | Kluis | Pengeskab | Сейф | Kassaskåp | Sejf | Safe',
  ],
  Parking: [
    'Parking | Aparcamiento | Parken | Stationnement | Parkeren | Parkering | Парковка | Parkering | Parking | Parkering',
    'Garage | Garaje | Garage | Garage | Garage | Garage | Гараж | Garage | Garaż | Garasje',
    'Underground | Subterráneo | Tiefgarage | Souterrain | Ondergronds | Underjordisk | Подземная | Underjordisk | Podziemny | Underjordisk',
    'Covered | Cubierto | Überdacht | Couvert | Overdekt | Overdækket | Крытая | Under tak | Zadaszony | Under tak',
    'Street parking | En la calle | An der Straße | Dans la rue | Op straat | På gaden | На улице | På gatan | Na ulicy | På gaten',
  ],
};

const LABELLED = Object.entries(FEATURES).map(([category, [labels, ...features]]) => ({
  category,
  labels: inTenLanguages(labels),
  features: features.map(inTenLanguages),
}));

/** The code of a feature, by its category and its English label. */
export function featureCode(category: string, label: string): string {
  return `${category}: ${label}`;
}

/** The codes of a category's features. */
export function featuresOf(category: string): string[] {
  return LABELLED.filter((entry) => entry.category === category).flatMap(({ features }) =>
    features.map(({ uk }) => featureCode(category, uk)),
  );
}

/** The documents of types, categories and features, in ten languages each. */
export function vocabulary(): (TypeDocument | CategoryDocument | FeatureDocument)[] {
  return [
    ...DEMO_TYPES.map(
      ({ code, older, type, subtype }): TypeDocument => ({
        kind: 'type',
        code,
        labels: Object.fromEntries(
          LANGUAGES.map(({ element }) => [
            element,
            { older_type: older[element], type: type[element], subtype: subtype === null ? null : subtype[element] },
          ]),
        ),
      }),
    ),
    ...LABELLED.map(
      ({ category, labels }): CategoryDocument => ({ kind: 'category', code: category, labels: { ...labels } }),
    ),
    ...LABELLED.flatMap(({ category, features }) =>
      features.map(
        (labels): FeatureDocument => ({
          kind: 'feature',
          code: featureCode(category, labels.uk),
          category,
          labels: { ...labels },
        }),
      ),
    ),
  ];
}
