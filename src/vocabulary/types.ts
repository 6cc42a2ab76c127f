/**
 * Types of properties, a row per type: its code, then the older type and subtype and the current type and subtype that
 * feeds show, each a row of {@link TYPE_WORDS}; `-` is none.
 *
 * Readers look up the two joined. The older pairs are those of Property Hive's importer (propertyhive-property-import,
 * class-ph-resales-online-xml-import.php) and of Houzez Property Feed: `Apartment - Ground Floor`, `Apartment - Middle
 * Floor`, `Apartment - Penthouse`, `Plot - Land`, `Plot - Residential`, `Townhouse - Terraced`, `Villa - Detached`. The
 * current ones are the types and subtypes of ReSales-Online's web API, as its clients list them with their numbers
 * (1-2 Ground Floor Apartment, 2-2 Detached Villa, 4-35 Commercial Premises, …). Rows with `+` are types of Kyero and of
 * other programs that ReSales-Online does not have.
 */
export const TYPES = `
apartment | Apartment | - | Apartment | -
apartment-ground | Apartment | Ground Floor | Apartment | Ground Floor Apartment
apartment-middle | Apartment | Middle Floor | Apartment | Middle Floor Apartment
apartment-top | Apartment | Top Floor | Apartment | Top Floor Apartment
penthouse | Apartment | Penthouse | Apartment | Penthouse
penthouse-duplex | Apartment | Penthouse | Apartment | Penthouse Duplex
duplex | Apartment | Duplex | Apartment | Duplex
studio-ground | Apartment | Ground Floor Studio | Apartment | Ground Floor Studio
studio-middle | Apartment | Middle Floor Studio | Apartment | Middle Floor Studio
studio-top | Apartment | Top Floor Studio | Apartment | Top Floor Studio
+ studio | Apartment | Studio | Apartment | Studio
+ loft | Apartment | Loft | Apartment | Loft
+ triplex | Apartment | Triplex | Apartment | Triplex

house | House | - | House | -
villa | Villa | Detached | House | Detached Villa
semi-detached | Villa | Semi-Detached | House | Semi-Detached House
townhouse | Townhouse | Terraced | House | Townhouse
finca | Country House | Finca - Cortijo | House | Finca - Cortijo
bungalow | Villa | Bungalow | House | Bungalow
quad | Villa | Quad | House | Quad
castle | House | Castle | House | Castle
city-palace | House | City Palace | House | City Palace
wooden-cabin | House | Wooden Cabin | House | Wooden Cabin
wooden-house | House | Wooden House | House | Wooden House
mobile-home | House | Mobile Home | House | Mobile Home
cave-house | House | Cave House | House | Cave House
+ townhouse-corner | Townhouse | Corner Townhouse | House | Corner Townhouse
+ village-house | House | Village House | House | Village House
+ country-house | Country House | - | House | Country House
+ farmhouse | Country House | Farmhouse | House | Farmhouse

plot | Plot | - | Plot | -
plot-residential | Plot | Residential | Plot | Residential Plot
plot-commercial | Plot | Commercial | Plot | Commercial Plot
land | Plot | Land | Plot | Land
land-with-ruin | Plot | Land with Ruin | Plot | Land with Ruin
+ plot-rustic | Plot | Rustic Land | Plot | Rustic Land

commercial | Commercial | - | Commercial | -
bar | Commercial | Bar | Commercial | Bar
restaurant | Commercial | Restaurant | Commercial | Restaurant
cafe | Commercial | Café | Commercial | Café
hotel | Commercial | Hotel | Commercial | Hotel
hostel | Commercial | Hostel | Commercial | Hostel
guest-house | Commercial | Guest House | Commercial | Guest House
bed-and-breakfast | Commercial | Bed and Breakfast | Commercial | Bed and Breakfast
shop | Commercial | Shop | Commercial | Shop
office | Commercial | Office | Commercial | Office
storage | Commercial | Storage Room | Commercial | Storage Room
parking | Commercial | Parking Space | Commercial | Parking Space
farm | Commercial | Farm | Commercial | Farm
night-club | Commercial | Night Club | Commercial | Night Club
warehouse | Commercial | Warehouse | Commercial | Warehouse
garage | Commercial | Garage | Commercial | Garage
business | Commercial | Business | Commercial | Business
mooring | Commercial | Mooring | Commercial | Mooring
stables | Commercial | Stables | Commercial | Stables
kiosk | Commercial | Kiosk | Commercial | Kiosk
chiringuito | Commercial | Chiringuito | Commercial | Chiringuito
beach-bar | Commercial | Beach Bar | Commercial | Beach Bar
mechanics | Commercial | Mechanics | Commercial | Mechanics
hairdressers | Commercial | Hairdressers | Commercial | Hairdressers
photography-studio | Commercial | Photography Studio | Commercial | Photography Studio
laundry | Commercial | Laundry | Commercial | Laundry
aparthotel | Commercial | Aparthotel | Commercial | Aparthotel
apartment-complex | Commercial | Apartment Complex | Commercial | Apartment Complex
residential-home | Commercial | Residential Home | Commercial | Residential Home
vineyard | Commercial | Vineyard | Commercial | Vineyard
olive-grove | Commercial | Olive Grove | Commercial | Olive Grove
car-park | Commercial | Car Park | Commercial | Car Park
commercial-premises | Commercial | Commercial Premises | Commercial | Commercial Premises
campsite | Commercial | Campsite | Commercial | Campsite
commercial-with-residence | Commercial | With Residence | Commercial | With Residence
commercial-other | Commercial | Other | Commercial | Other
+ industrial-unit | Commercial | Industrial Unit | Commercial | Industrial Unit
+ building | Commercial | Building | Commercial | Building
`;

/** The words of types and subtypes: a row per word, a column per language in the order of the codes. */
export const TYPE_WORDS = `
Apartment | Apartamento | Wohnung | Appartement | Appartement | Lejlighed | Апартаменты | Lägenhet | Apartament | Leilighet
Ground Floor | Planta baja | Erdgeschoss | Rez-de-chaussée | Begane grond | Stueplan | Первый этаж | Bottenplan | Parter | Første etasje
Middle Floor | Planta media | Mittlere Etage | Étage intermédiaire | Tussenverdieping | Mellemetage | Средний этаж | Mellanplan | Środkowe piętro | Midtre etasje
Top Floor | Última planta | Oberste Etage | Dernier étage | Bovenste verdieping | Øverste etage | Верхний этаж | Översta våningen | Ostatnie piętro | Øverste etasje
Ground Floor Apartment | Apartamento en planta baja | Erdgeschosswohnung | Appartement en rez-de-chaussée | Appartement op de begane grond | Lejlighed i stueplan | Апартаменты на первом этаже | Lägenhet på bottenplan | Apartament na parterze | Leilighet i første etasje
Middle Floor Apartment | Apartamento en planta media | Etagenwohnung | Appartement à un étage intermédiaire | Appartement op een tussenverdieping | Lejlighed på mellemetage | Апартаменты на среднем этаже | Lägenhet på mellanplan | Apartament na środkowym piętrze | Leilighet i midtre etasje
Top Floor Apartment | Apartamento en última planta | Wohnung in der obersten Etage | Appartement au dernier étage | Appartement op de bovenste verdieping | Lejlighed på øverste etage | Апартаменты на верхнем этаже | Lägenhet på översta våningen | Apartament na ostatnim piętrze | Leilighet i øverste etasje
Penthouse | Ático | Penthouse | Penthouse | Penthouse | Penthouse | Пентхаус | Takvåning | Penthouse | Toppleilighet
Penthouse Duplex | Ático dúplex | Penthouse-Maisonette | Penthouse en duplex | Duplex-penthouse | Penthouse i to plan | Двухуровневый пентхаус | Takvåning i två plan | Dwupoziomowy penthouse | Toppleilighet over to plan
Duplex | Dúplex | Maisonette | Duplex | Duplex | Duplekslejlighed | Дуплекс | Etagelägenhet | Apartament dwupoziomowy | Dupleksleilighet
Triplex | Tríplex | Triplex | Triplex | Triplex | Lejlighed i tre plan | Трёхуровневая квартира | Lägenhet i tre plan | Apartament trzypoziomowy | Leilighet over tre plan
Loft | Loft | Loft | Loft | Loft | Loftslejlighed | Лофт | Loft | Loft | Loftsleilighet
Studio | Estudio | Studio | Studio | Studio | Studiolejlighed | Студия | Studio | Kawalerka | Studioleilighet
Ground Floor Studio | Estudio en planta baja | Studio im Erdgeschoss | Studio en rez-de-chaussée | Studio op de begane grond | Studiolejlighed i stueplan | Студия на первом этаже | Studio på bottenplan | Kawalerka na parterze | Studioleilighet i første etasje
Middle Floor Studio | Estudio en planta media | Studio in mittlerer Etage | Studio à un étage intermédiaire | Studio op een tussenverdieping | Studiolejlighed på mellemetage | Студия на среднем этаже | Studio på mellanplan | Kawalerka na środkowym piętrze | Studioleilighet i midtre etasje
Top Floor Studio | Estudio en última planta | Studio in der obersten Etage | Studio au dernier étage | Studio op de bovenste verdieping | Studiolejlighed på øverste etage | Студия на верхнем этаже | Studio på översta våningen | Kawalerka na ostatnim piętrze | Studioleilighet i øverste etasje
House | Casa | Haus | Maison | Huis | Hus | Дом | Hus | Dom | Hus
Villa | Villa | Villa | Villa | Villa | Villa | Вилла | Villa | Willa | Villa
Detached | Independiente | Freistehend | Individuelle | Vrijstaand | Fritliggende | Отдельно стоящая | Fristående | Wolnostojąca | Frittliggende
Semi-Detached | Pareada | Doppelhaushälfte | Jumelée | Halfvrijstaand | Dobbelthus | На две семьи | Parhus | Bliźniak | Tomannsbolig
Detached Villa | Villa independiente | Freistehende Villa | Villa individuelle | Vrijstaande villa | Fritliggende villa | Отдельно стоящая вилла | Fristående villa | Willa wolnostojąca | Frittliggende villa
Semi-Detached House | Casa pareada | Doppelhaushälfte | Maison jumelée | Halfvrijstaand huis | Dobbelthus | Дом на две семьи | Parhus | Dom bliźniak | Tomannsbolig
Townhouse | Casa adosada | Reihenhaus | Maison mitoyenne | Rijtjeshuis | Rækkehus | Таунхаус | Radhus | Dom szeregowy | Rekkehus
Terraced | Adosada | Reihenhaus | Mitoyenne | Rijwoning | Rækkehus | Рядовой | Radhus | Szeregowy | Rekkehus
Corner Townhouse | Casa adosada en esquina | Reiheneckhaus | Maison mitoyenne d’angle | Hoekwoning | Rækkehus for enden | Угловой таунхаус | Gavelradhus | Narożny dom szeregowy | Enderekkehus
Village House | Casa de pueblo | Dorfhaus | Maison de village | Dorpshuis | Landsbyhus | Деревенский дом | Byhus | Dom na wsi | Landsbyhus
Country House | Casa de campo | Landhaus | Maison de campagne | Landhuis | Landsted | Загородный дом | Lanthus | Dom wiejski | Landsted
Finca - Cortijo | Finca - Cortijo | Finca - Cortijo | Finca - Cortijo | Finca - Cortijo | Finca - Cortijo | Финка - Кортихо | Finca - Cortijo | Finca - Cortijo | Finca - Cortijo
Farmhouse | Casa de labranza | Bauernhaus | Ferme | Boerderij | Bondegård | Фермерский дом | Bondgård | Dom gospodarski | Gårdshus
Bungalow | Bungalow | Bungalow | Bungalow | Bungalow | Bungalow | Бунгало | Bungalow | Bungalow | Bungalow
Quad | Vivienda cuádruple | Vierfamilienhaus | Maison quadruple | Vierwoning | Firlængehus | Дом на четыре семьи | Fyrbostadshus | Dom czterorodzinny | Firemannsbolig
Castle | Castillo | Schloss | Château | Kasteel | Slot | Замок | Slott | Zamek | Slott
City Palace | Palacete de ciudad | Stadtpalais | Hôtel particulier | Stadspaleis | Bypalæ | Городской особняк | Stadspalats | Pałac miejski | Bypalass
Wooden Cabin | Cabaña de madera | Holzhütte | Cabane en bois | Houten hut | Træhytte | Деревянная хижина | Trästuga | Drewniana chata | Trehytte
Wooden House | Casa de madera | Holzhaus | Maison en bois | Houten huis | Træhus | Деревянный дом | Trähus | Dom drewniany | Trehus
Mobile Home | Casa móvil | Mobilheim | Mobil-home | Stacaravan | Mobilt hjem | Мобильный дом | Villavagn | Dom mobilny | Mobilhjem
Cave House | Casa cueva | Höhlenhaus | Maison troglodyte | Grotwoning | Hulehus | Дом-пещера | Grotthus | Dom w jaskini | Hulehus
Plot | Parcela | Grundstück | Parcelle | Perceel | Grund | Участок | Tomt | Działka | Tomt
Residential | Residencial | Wohnbau | Résidentielle | Woonbestemming | Bolig | Под жильё | Bostad | Mieszkaniowa | Bolig
Commercial | Comercial | Gewerbe | Commercial | Commercieel | Erhverv | Коммерческая недвижимость | Kommersiell | Komercyjna | Næring
Residential Plot | Parcela residencial | Wohnbaugrundstück | Terrain résidentiel | Bouwkavel voor woningen | Byggegrund til bolig | Участок под жилую застройку | Bostadstomt | Działka budowlana | Boligtomt
Commercial Plot | Parcela comercial | Gewerbegrundstück | Terrain commercial | Bedrijfskavel | Erhvervsgrund | Участок под коммерческую застройку | Kommersiell tomt | Działka komercyjna | Næringstomt
Land | Terreno | Land | Terrain | Grond | Jord | Земля | Mark | Ziemia | Landområde
Land with Ruin | Terreno con ruina | Land mit Ruine | Terrain avec ruine | Grond met ruïne | Jord med ruin | Земля с руинами | Mark med ruin | Ziemia z ruiną | Landområde med ruin
Rustic Land | Terreno rústico | Landwirtschaftliches Land | Terrain rural | Landbouwgrond | Landbrugsjord | Сельскохозяйственная земля | Jordbruksmark | Ziemia rolna | Landbruksjord
Bar | Bar | Bar | Bar | Bar | Bar | Бар | Bar | Bar | Bar
Restaurant | Restaurante | Restaurant | Restaurant | Restaurant | Restaurant | Ресторан | Restaurang | Restauracja | Restaurant
Café | Cafetería | Café | Café | Café | Café | Кафе | Kafé | Kawiarnia | Kafé
Hotel | Hotel | Hotel | Hôtel | Hotel | Hotel | Отель | Hotell | Hotel | Hotell
Hostel | Hostal | Hostel | Auberge | Hostel | Hostel | Хостел | Vandrarhem | Hostel | Vandrerhjem
Guest House | Casa de huéspedes | Pension | Maison d’hôtes | Pension | Pensionat | Гостевой дом | Pensionat | Pensjonat | Pensjonat
Bed and Breakfast | Alojamiento con desayuno | Bed and Breakfast | Chambres d’hôtes | Bed and breakfast | Bed and breakfast | Мини-отель с завтраком | Bed and breakfast | Pokoje ze śniadaniem | Bed and breakfast
Shop | Tienda | Ladenlokal | Boutique | Winkel | Butik | Магазин | Butik | Sklep | Butikk
Office | Oficina | Büro | Bureau | Kantoor | Kontor | Офис | Kontor | Biuro | Kontor
Storage Room | Trastero | Lagerraum | Débarras | Opslagruimte | Depotrum | Кладовая | Förråd | Komórka | Bod
Parking Space | Plaza de aparcamiento | Stellplatz | Place de parking | Parkeerplaats | Parkeringsplads | Парковочное место | Parkeringsplats | Miejsce parkingowe | Parkeringsplass
Farm | Granja | Bauernhof | Exploitation agricole | Agrarisch bedrijf | Landbrug | Ферма | Gård | Gospodarstwo rolne | Gård
Night Club | Discoteca | Nachtclub | Discothèque | Nachtclub | Natklub | Ночной клуб | Nattklubb | Klub nocny | Nattklubb
Warehouse | Almacén | Lagerhalle | Entrepôt | Magazijn | Lager | Склад | Lager | Magazyn | Lager
Garage | Garaje | Garage | Garage | Garage | Garage | Гараж | Garage | Garaż | Garasje
Business | Negocio | Betrieb | Fonds de commerce | Bedrijf | Virksomhed | Готовый бизнес | Företag | Działalność | Virksomhet
Mooring | Amarre | Liegeplatz | Amarrage | Ligplaats | Bådplads | Причал | Båtplats | Miejsce do cumowania | Båtplass
Stables | Establos | Stallungen | Écuries | Stallen | Stalde | Конюшни | Stall | Stajnie | Stall
Kiosk | Quiosco | Kiosk | Kiosque | Kiosk | Kiosk | Киоск | Kiosk | Kiosk | Kiosk
Chiringuito | Chiringuito | Chiringuito | Chiringuito | Chiringuito | Chiringuito | Чирингито | Chiringuito | Chiringuito | Chiringuito
Beach Bar | Bar de playa | Strandbar | Bar de plage | Strandbar | Strandbar | Пляжный бар | Strandbar | Bar na plaży | Strandbar
Mechanics | Taller mecánico | Kfz-Werkstatt | Garage mécanique | Autowerkplaats | Autoværksted | Автосервис | Bilverkstad | Warsztat samochodowy | Bilverksted
Hairdressers | Peluquería | Friseursalon | Salon de coiffure | Kapsalon | Frisørsalon | Парикмахерская | Frisörsalong | Salon fryzjerski | Frisørsalong
Photography Studio | Estudio fotográfico | Fotostudio | Studio de photographie | Fotostudio | Fotostudie | Фотостудия | Fotostudio | Studio fotograficzne | Fotostudio
Laundry | Lavandería | Wäscherei | Blanchisserie | Wasserij | Vaskeri | Прачечная | Tvätteri | Pralnia | Vaskeri
Aparthotel | Aparthotel | Aparthotel | Appart-hôtel | Aparthotel | Lejlighedshotel | Апарт-отель | Lägenhetshotell | Aparthotel | Leilighetshotell
Apartment Complex | Complejo de apartamentos | Apartmentanlage | Résidence d’appartements | Appartementencomplex | Lejlighedskompleks | Комплекс апартаментов | Lägenhetskomplex | Kompleks apartamentów | Leilighetskompleks
Residential Home | Residencia de mayores | Wohnheim | Maison de retraite | Verzorgingshuis | Plejehjem | Пансионат | Äldreboende | Dom opieki | Omsorgsbolig
Vineyard | Viñedo | Weingut | Vignoble | Wijngaard | Vingård | Виноградник | Vingård | Winnica | Vingård
Olive Grove | Olivar | Olivenhain | Oliveraie | Olijfgaard | Olivenlund | Оливковая роща | Olivlund | Gaj oliwny | Olivenlund
Car Park | Edificio de aparcamientos | Parkhaus | Parking | Parkeergarage | Parkeringsanlæg | Автостоянка | Parkeringsanläggning | Parking | Parkeringsanlegg
Commercial Premises | Local comercial | Gewerbeobjekt | Local commercial | Bedrijfsruimte | Erhvervslokale | Коммерческое помещение | Kommersiell lokal | Lokal użytkowy | Næringslokale
Campsite | Camping | Campingplatz | Camping | Camping | Campingplads | Кемпинг | Campingplats | Kemping | Campingplass
With Residence | Con vivienda | Mit Wohnung | Avec logement | Met woning | Med bolig | С жильём | Med bostad | Z mieszkaniem | Med bolig
Other | Otros | Sonstiges | Autre | Overige | Andet | Другое | Övrigt | Inne | Annet
Industrial Unit | Nave industrial | Gewerbehalle | Local industriel | Bedrijfshal | Industrilokale | Промышленное помещение | Industrilokal | Hala przemysłowa | Industrilokale
Building | Edificio | Gebäude | Immeuble | Gebouw | Bygning | Здание | Byggnad | Budynek | Bygning
`;
