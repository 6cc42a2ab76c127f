/**
 * Features of properties, a row per feature and a column per language, below the category (`==`) that they belong to.
 *
 * The columns are those of {@link LANGUAGES}: English, Spanish, German, French, Dutch, Danish, Russian, Swedish, Polish,
 * Norwegian. Categories and features have the names and the order in which ReSales-Online lists them; a row with `+` is a
 * feature that other programs name and ReSales-Online does not. Other names that feeds use are in `names.ts`.
 */
export const FEATURES = `
== Setting | Ubicación | Lage | Situation | Ligging | Beliggenhed | Расположение | Läge | Położenie | Beliggenhet
Beachfront | Primera línea de playa | Erste Strandlinie | Première ligne de plage | Eerstelijns strand | Første række til stranden | Первая линия пляжа | Första linjen till stranden | Pierwsza linia plaży | Første linje til stranden
Frontline Golf | Primera línea de golf | Erste Golflinie | Première ligne de golf | Eerstelijns golf | Første række til golfbanen | Первая линия гольфа | Första linjen till golfbanan | Pierwsza linia pola golfowego | Første linje til golfbanen
Town | Ciudad | Stadt | Ville | Stad | By | Город | Stad | Miasto | By
Suburban | Afueras | Vorort | Périphérie | Buitenwijk | Forstad | Пригород | Förort | Przedmieście | Forstad
Country | Campo | Ländlich | Campagne | Platteland | På landet | Сельская местность | Landsbygd | Tereny wiejskie | På landet
Commercial Area | Zona comercial | Geschäftsviertel | Zone commerciale | Winkelgebied | Forretningsområde | Торговый район | Affärsområde | Strefa handlowa | Forretningsområde
Beachside | Lado playa | Strandseite | Côté plage | Strandzijde | Strandsiden | Сторона пляжа | Strandsidan | Od strony plaży | Strandsiden
Port | Puerto | Hafen | Port | Haven | Havn | Порт | Hamn | Port | Havn
Village | Pueblo | Dorf | Village | Dorp | Landsby | Деревня | By | Wieś | Landsby
Mountain Pueblo | Pueblo de montaña | Bergdorf | Village de montagne | Bergdorp | Bjerglandsby | Горная деревня | Bergsby | Górska wioska | Fjellandsby
Close To Golf | Cerca de golf | Golfplatznähe | Proche du golf | Dicht bij golf | Tæt på golf | Рядом с полем для гольфа | Nära golf | Blisko pola golfowego | Nær golf
Close To Port | Cerca del puerto | Hafennähe | Proche du port | Dicht bij de haven | Tæt på havnen | Рядом с портом | Nära hamnen | Blisko portu | Nær havnen
Close To Shops | Cerca de tiendas | In der Nähe von Geschäften | Proche des commerces | Dicht bij winkels | Tæt på butikker | Рядом с магазинами | Nära butiker | Blisko sklepów | Nær butikker
Close To Sea | Cerca del mar | Meeresnähe | Proche de la mer | Dicht bij zee | Tæt på havet | Рядом с морем | Nära havet | Blisko morza | Nær havet
Close To Town | Cerca de la ciudad | Stadtnähe | Proche de la ville | Dicht bij de stad | Tæt på byen | Рядом с городом | Nära staden | Blisko miasta | Nær byen
Close To Schools | Cerca de colegios | In der Nähe von Schulen | Proche des écoles | Dicht bij scholen | Tæt på skoler | Рядом со школами | Nära skolor | Blisko szkół | Nær skoler
Close To Skiing | Cerca de pistas de esquí | Nahe dem Skigebiet | Proche des pistes de ski | Dicht bij het skigebied | Tæt på skiområde | Рядом с горнолыжными трассами | Nära skidområde | Blisko stoków narciarskich | Nær skianlegg
Close To Forest | Cerca del bosque | Waldnähe | Proche de la forêt | Dicht bij het bos | Tæt på skoven | Рядом с лесом | Nära skogen | Blisko lasu | Nær skogen
Marina | Puerto deportivo | Yachthafen | Port de plaisance | Jachthaven | Marina | Марина | Småbåtshamn | Marina | Småbåthavn
Close To Marina | Cerca del puerto deportivo | Nahe dem Yachthafen | Proche du port de plaisance | Dicht bij de jachthaven | Tæt på marinaen | Рядом с мариной | Nära småbåtshamnen | Blisko mariny | Nær småbåthavnen
Urbanisation | Urbanización | Wohnsiedlung | Lotissement | Urbanisatie | Urbanisation | Урбанизация | Bostadsområde | Osiedle | Boligområde
Front Line Beach Complex | Complejo en primera línea de playa | Wohnanlage in erster Strandlinie | Résidence en première ligne de plage | Eerstelijns strandcomplex | Kompleks i første række til stranden | Комплекс на первой линии пляжа | Anläggning i första linjen till stranden | Kompleks na pierwszej linii plaży | Kompleks i første linje til stranden
+ Close To Beach | Cerca de la playa | Strandnähe | Proche de la plage | Dicht bij het strand | Tæt på stranden | Рядом с пляжем | Nära stranden | Blisko plaży | Nær stranden
+ Close To Amenities | Cerca de servicios | Nahe Versorgungseinrichtungen | Proche des services | Dicht bij voorzieningen | Tæt på faciliteter | Рядом с инфраструктурой | Nära service | Blisko usług | Nær servicetilbud
+ Close To Airport | Cerca del aeropuerto | Flughafennähe | Proche de l’aéroport | Dicht bij de luchthaven | Tæt på lufthavnen | Рядом с аэропортом | Nära flygplatsen | Blisko lotniska | Nær flyplassen
+ Close To Restaurants | Cerca de restaurantes | In der Nähe von Restaurants | Proche des restaurants | Dicht bij restaurants | Tæt på restauranter | Рядом с ресторанами | Nära restauranger | Blisko restauracji | Nær restauranter
+ Close To Hospital | Cerca de hospital | Krankenhausnähe | Proche d’un hôpital | Dicht bij een ziekenhuis | Tæt på hospital | Рядом с больницей | Nära sjukhus | Blisko szpitala | Nær sykehus
+ Close To Shopping Centre | Cerca de centro comercial | Nahe einem Einkaufszentrum | Proche d’un centre commercial | Dicht bij een winkelcentrum | Tæt på indkøbscenter | Рядом с торговым центром | Nära köpcentrum | Blisko centrum handlowego | Nær kjøpesenter
+ Town Centre | Céntrico | Stadtzentrum | Centre-ville | Centrum | Bymidte | Центр города | Stadskärna | Centrum miasta | Sentrum

== Orientation | Orientación | Ausrichtung | Orientation | Oriëntatie | Orientering | Ориентация | Väderstreck | Orientacja | Himmelretning
North | Norte | Nord | Nord | Noord | Nord | Север | Norr | Północ | Nord
North East | Noreste | Nordost | Nord-est | Noordoost | Nordøst | Северо-восток | Nordost | Północny wschód | Nordøst
East | Este | Ost | Est | Oost | Øst | Восток | Öster | Wschód | Øst
South East | Sureste | Südost | Sud-est | Zuidoost | Sydøst | Юго-восток | Sydost | Południowy wschód | Sørøst
South | Sur | Süd | Sud | Zuid | Syd | Юг | Söder | Południe | Sør
South West | Suroeste | Südwest | Sud-ouest | Zuidwest | Sydvest | Юго-запад | Sydväst | Południowy zachód | Sørvest
West | Oeste | West | Ouest | West | Vest | Запад | Väster | Zachód | Vest
North West | Noroeste | Nordwest | Nord-ouest | Noordwest | Nordvest | Северо-запад | Nordväst | Północny zachód | Nordvest

== Condition | Estado | Zustand | État | Staat | Stand | Состояние | Skick | Stan | Tilstand
Excellent | Excelente | Ausgezeichnet | Excellent | Uitstekend | Fremragende | Отличное | Utmärkt | Doskonały | Utmerket
Good | Bueno | Gut | Bon | Goed | God | Хорошее | Gott | Dobry | God
Fair | Regular | Akzeptabel | Moyen | Redelijk | Rimelig | Удовлетворительное | Acceptabelt | Zadowalający | Middels
Renovation Required | Necesita renovación | Renovierungsbedürftig | À rénover | Te renoveren | Trænger til renovering | Требуется ремонт | Renoveringsbehov | Do remontu | Trenger oppussing
Recently Renovated | Recientemente renovado | Kürzlich renoviert | Récemment rénové | Onlangs gerenoveerd | Nyligt renoveret | Недавно отремонтировано | Nyligen renoverat | Niedawno wyremontowany | Nylig pusset opp
Recently Refurbished | Recientemente reformado | Kürzlich modernisiert | Récemment remis à neuf | Onlangs gemoderniseerd | Nyligt istandsat | Недавно обновлено | Nyligen upprustat | Niedawno odnowiony | Nylig oppgradert
Restoration Required | Necesita restauración | Restaurierungsbedürftig | À restaurer | Te restaureren | Trænger til restaurering | Требуется реставрация | Restaureringsbehov | Do odrestaurowania | Trenger restaurering
New Construction | Obra nueva | Neubau | Construction neuve | Nieuwbouw | Nybyggeri | Новостройка | Nybyggnation | Nowe budownictwo | Nybygg
+ Renovated | Reformado | Renoviert | Rénové | Gerenoveerd | Renoveret | Отремонтировано | Renoverat | Wyremontowany | Pusset opp
+ Ready To Move In | Para entrar a vivir | Bezugsfertig | Prêt à habiter | Instapklaar | Indflytningsklar | Готово к проживанию | Inflyttningsklart | Gotowe do zamieszkania | Innflyttingsklar

== Pool | Piscina | Pool | Piscine | Zwembad | Pool | Бассейн | Pool | Basen | Basseng
Communal | Comunitaria | Gemeinschaftlich | Commune | Gemeenschappelijk | Fælles | Общий | Gemensam | Wspólny | Felles
Private | Privada | Privat | Privée | Privé | Privat | Частный | Privat | Prywatny | Privat
Indoor | Cubierta | Hallenbad | Intérieure | Binnenbad | Indendørs | Крытый | Inomhus | Kryty | Innendørs
Heated | Climatizada | Beheizt | Chauffée | Verwarmd | Opvarmet | С подогревом | Uppvärmd | Podgrzewany | Oppvarmet
Room For Pool | Espacio para piscina | Platz für einen Pool | Espace pour une piscine | Ruimte voor een zwembad | Plads til pool | Место для бассейна | Plats för pool | Miejsce na basen | Plass til basseng
Children\`s Pool | Piscina infantil | Kinderbecken | Piscine pour enfants | Kinderbad | Børnepool | Детский бассейн | Barnpool | Basen dla dzieci | Barnebasseng
+ Pool | Piscina | Pool | Piscine | Zwembad | Pool | Бассейн | Pool | Basen | Basseng

== Climate Control | Climatización | Klimatisierung | Climatisation | Klimaatregeling | Klimastyring | Климат-контроль | Klimatkontroll | Klimatyzacja i ogrzewanie | Klimakontroll
Air Conditioning | Aire acondicionado | Klimaanlage | Climatisation | Airconditioning | Aircondition | Кондиционер | Luftkonditionering | Klimatyzacja | Klimaanlegg
Pre Installed A/C | Preinstalación A/A | Vorinstallation für Klimaanlage | Préinstallation de climatisation | Voorinstallatie airconditioning | Forberedt til aircondition | Подготовка под кондиционер | Förberett för luftkonditionering | Przygotowanie pod klimatyzację | Klargjort for klimaanlegg
Hot A/C | A/A caliente | Klimaanlage warm | Climatisation chaude | Airconditioning warm | Aircondition med varme | Кондиционер с обогревом | Luftkonditionering värme | Klimatyzacja z grzaniem | Klimaanlegg med varme
Cold A/C | A/A frío | Klimaanlage kalt | Climatisation froide | Airconditioning koud | Aircondition med køling | Кондиционер с охлаждением | Luftkonditionering kyla | Klimatyzacja z chłodzeniem | Klimaanlegg med kjøling
Central Heating | Calefacción central | Zentralheizung | Chauffage central | Centrale verwarming | Centralvarme | Центральное отопление | Centralvärme | Centralne ogrzewanie | Sentralvarme
Fireplace | Chimenea | Kamin | Cheminée | Open haard | Pejs | Камин | Öppen spis | Kominek | Peis
U/F Heating | Suelo radiante | Fußbodenheizung | Chauffage au sol | Vloerverwarming | Gulvvarme | Тёплый пол | Golvvärme | Ogrzewanie podłogowe | Gulvvarme
U/F/H Bathrooms | Suelo radiante en baños | Fußbodenheizung in den Bädern | Chauffage au sol dans les salles de bains | Vloerverwarming in de badkamers | Gulvvarme i badeværelserne | Тёплый пол в ванных | Golvvärme i badrummen | Ogrzewanie podłogowe w łazienkach | Gulvvarme på badene
+ Heating | Calefacción | Heizung | Chauffage | Verwarming | Opvarmning | Отопление | Värme | Ogrzewanie | Oppvarming
+ Hot And Cold A/C | Aire acondicionado frío y calor | Klimaanlage warm und kalt | Climatisation chaude et froide | Airconditioning warm en koud | Aircondition med varme og køling | Кондиционер с обогревом и охлаждением | Luftkonditionering värme och kyla | Klimatyzacja z grzaniem i chłodzeniem | Klimaanlegg med varme og kjøling
+ Central Air Conditioning | Aire acondicionado central | Zentrale Klimaanlage | Climatisation centrale | Centrale airconditioning | Central aircondition | Центральное кондиционирование | Central luftkonditionering | Klimatyzacja centralna | Sentralt klimaanlegg
+ Heat Pump | Bomba de calor | Wärmepumpe | Pompe à chaleur | Warmtepomp | Varmepumpe | Тепловой насос | Värmepump | Pompa ciepła | Varmepumpe
+ Wood Burning Stove | Estufa de leña | Holzofen | Poêle à bois | Houtkachel | Brændeovn | Дровяная печь | Vedspis | Piec na drewno | Vedovn
+ Gas Heating | Calefacción de gas | Gasheizung | Chauffage au gaz | Gasverwarming | Gasvarme | Газовое отопление | Gasvärme | Ogrzewanie gazowe | Gassoppvarming

== Views | Vistas | Aussicht | Vues | Uitzicht | Udsigt | Виды | Utsikt | Widoki | Utsikt
Sea | Mar | Meer | Mer | Zee | Hav | Море | Hav | Morze | Hav
Mountain | Montaña | Berge | Montagne | Bergen | Bjerge | Горы | Berg | Góry | Fjell
Golf | Golf | Golf | Golf | Golf | Golf | Гольф | Golf | Golf | Golf
Beach | Playa | Strand | Plage | Strand | Strand | Пляж | Strand | Plaża | Strand
Port | Puerto | Hafen | Port | Haven | Havn | Порт | Hamn | Port | Havn
Country | Campo | Landschaft | Campagne | Platteland | Landskab | Сельская местность | Landsbygd | Okolica wiejska | Landskap
Panoramic | Panorámicas | Panorama | Panoramiques | Panoramisch | Panorama | Панорама | Panorama | Panorama | Panorama
Garden | Jardín | Garten | Jardin | Tuin | Have | Сад | Trädgård | Ogród | Hage
Pool | Piscina | Pool | Piscine | Zwembad | Pool | Бассейн | Pool | Basen | Basseng
Courtyard | Patio interior | Innenhof | Cour | Binnenplaats | Gårdhave | Внутренний двор | Innergård | Dziedziniec | Gårdsplass
Lake | Lago | See | Lac | Meer | Sø | Озеро | Sjö | Jezioro | Innsjø
Urban | Urbanas | Stadt | Urbaines | Stedelijk | By | Город | Stad | Miasto | By
Ski | Pistas de esquí | Skipiste | Pistes de ski | Skipistes | Skipister | Горнолыжные трассы | Skidbackar | Stok narciarski | Skibakker
Forest | Bosque | Wald | Forêt | Bos | Skov | Лес | Skog | Las | Skog
Street | Calle | Straße | Rue | Straat | Gade | Улица | Gata | Ulica | Gate
+ Open Views | Vistas despejadas | Freie Aussicht | Vues dégagées | Vrij uitzicht | Fri udsigt | Открытый вид | Fri utsikt | Otwarty widok | Fri utsikt
+ Village Views | Vistas al pueblo | Blick aufs Dorf | Vue sur le village | Uitzicht op het dorp | Udsigt til landsbyen | Вид на деревню | Utsikt över byn | Widok na wieś | Utsikt mot landsbyen

== Features | Características | Ausstattung | Caractéristiques | Kenmerken | Faciliteter | Особенности | Egenskaper | Cechy | Egenskaper
Covered Terrace | Terraza cubierta | Überdachte Terrasse | Terrasse couverte | Overdekt terras | Overdækket terrasse | Крытая терраса | Terrass under tak | Zadaszony taras | Overbygd terrasse
Lift | Ascensor | Aufzug | Ascenseur | Lift | Elevator | Лифт | Hiss | Winda | Heis
Fitted Wardrobes | Armarios empotrados | Einbauschränke | Placards intégrés | Inbouwkasten | Indbyggede skabe | Встроенные шкафы | Inbyggda garderober | Szafy wnękowe | Innebygde garderober
Near Transport | Cerca de transporte | Nahe öffentlichen Verkehrsmitteln | Proche des transports | Dicht bij openbaar vervoer | Tæt på offentlig transport | Рядом с транспортом | Nära kollektivtrafik | Blisko komunikacji | Nær kollektivtransport
Private Terrace | Terraza privada | Eigene Terrasse | Terrasse privée | Privéterras | Privat terrasse | Собственная терраса | Privat terrass | Prywatny taras | Privat terrasse
Solarium | Solárium | Dachsonnenterrasse | Solarium | Solarium | Soltagterrasse | Терраса-солярий | Solterrass | Taras słoneczny | Solterrasse
Satellite TV | TV por satélite | Satellitenfernsehen | Télévision par satellite | Satelliettelevisie | Satellit-tv | Спутниковое телевидение | Satellit-tv | Telewizja satelitarna | Satellitt-TV
WiFi | WiFi | WLAN | Wi-Fi | Wifi | Wi-fi | Wi-Fi | Wifi | Wi-Fi | Wi-Fi
Gym | Gimnasio | Fitnessraum | Salle de sport | Fitnessruimte | Fitnessrum | Тренажёрный зал | Gym | Siłownia | Treningsrom
Sauna | Sauna | Sauna | Sauna | Sauna | Sauna | Сауна | Bastu | Sauna | Badstue
Games Room | Sala de juegos | Spielzimmer | Salle de jeux | Speelkamer | Spillerum | Игровая комната | Spelrum | Pokój gier | Spillerom
Paddle Tennis | Pista de pádel | Padelplatz | Court de padel | Padelbaan | Padelbane | Корт для падел-тенниса | Padelbana | Kort do padla | Padelbane
Tennis Court | Pista de tenis | Tennisplatz | Court de tennis | Tennisbaan | Tennisbane | Теннисный корт | Tennisbana | Kort tenisowy | Tennisbane
Guest Apartment | Apartamento de invitados | Gästeapartment | Appartement d’amis | Gastenappartement | Gæstelejlighed | Гостевая квартира | Gästlägenhet | Apartament dla gości | Gjesteleilighet
Guest House | Casa de invitados | Gästehaus | Maison d’amis | Gastenverblijf | Gæstehus | Гостевой дом | Gästhus | Dom dla gości | Gjestehus
Storage Room | Trastero | Abstellraum | Débarras | Berging | Depotrum | Кладовая | Förråd | Komórka lokatorska | Bod
Utility Room | Lavadero | Hauswirtschaftsraum | Buanderie | Bijkeuken | Bryggers | Хозяйственное помещение | Grovkök | Pomieszczenie gospodarcze | Vaskerom
Ensuite Bathroom | Baño en suite | Bad en suite | Salle de bains attenante | En-suite badkamer | Eget badeværelse til soveværelse | Ванная при спальне | Badrum i anslutning till sovrum | Łazienka przy sypialni | Bad tilknyttet soverom
Wood Flooring | Suelo de madera | Holzboden | Parquet | Houten vloer | Trægulv | Деревянный пол | Trägolv | Drewniana podłoga | Tregulv
Marble Flooring | Suelo de mármol | Marmorboden | Sol en marbre | Marmeren vloer | Marmorgulv | Мраморный пол | Marmorgolv | Marmurowa podłoga | Marmorgulv
Jacuzzi | Jacuzzi | Whirlpool | Jacuzzi | Jacuzzi | Jacuzzi | Джакузи | Jacuzzi | Jacuzzi | Boblebad
Bar | Bar | Bar | Bar | Bar | Bar | Бар | Bar | Bar | Bar
Barbeque | Barbacoa | Grill | Barbecue | Barbecue | Grill | Барбекю | Grill | Grill | Grill
Double Glazing | Doble acristalamiento | Doppelverglasung | Double vitrage | Dubbele beglazing | Termoruder | Двойное остекление | Tvåglasfönster | Podwójne szyby | Doble vinduer
Domotics | Domótica | Hausautomation | Domotique | Domotica | Smart home | Умный дом | Smart hem | Inteligentny dom | Smarthus
24 Hour Reception | Recepción 24 horas | Rezeption rund um die Uhr | Réception 24 h sur 24 | 24-uursreceptie | Døgnåben reception | Круглосуточная стойка регистрации | Reception dygnet runt | Recepcja całodobowa | Døgnåpen resepsjon
Restaurant On Site | Restaurante en el complejo | Restaurant in der Anlage | Restaurant sur place | Restaurant ter plaatse | Restaurant på stedet | Ресторан на территории | Restaurang på området | Restauracja na miejscu | Restaurant på området
Car Hire Facility | Alquiler de coches | Autovermietung | Location de voitures | Autoverhuur | Biludlejning | Прокат автомобилей | Biluthyrning | Wypożyczalnia samochodów | Bilutleie
Courtesy Bus | Autobús de cortesía | Shuttlebus | Navette gratuite | Pendelbus | Gratis shuttlebus | Бесплатный автобус | Gratis bussförbindelse | Bezpłatny autobus | Gratis skyttelbuss
Day Care | Guardería | Kinderbetreuung | Garderie | Kinderopvang | Børnepasning | Детский сад | Barnpassning | Opieka nad dziećmi | Barnepass
Staff Accommodation | Alojamiento para el servicio | Personalunterkunft | Logement du personnel | Personeelsverblijf | Personalebolig | Жильё для персонала | Personalbostad | Mieszkanie dla personelu | Personalbolig
Stables | Establos | Stallungen | Écuries | Stallen | Stalde | Конюшни | Stall | Stajnie | Stall
Near Mosque | Cerca de mezquita | Nahe einer Moschee | Proche d’une mosquée | Dicht bij een moskee | Tæt på moské | Рядом с мечетью | Nära moské | Blisko meczetu | Nær moské
Near Church | Cerca de iglesia | Nahe einer Kirche | Proche d’une église | Dicht bij een kerk | Tæt på kirke | Рядом с церковью | Nära kyrka | Blisko kościoła | Nær kirke
Basement | Sótano | Keller | Sous-sol | Kelder | Kælder | Подвал | Källare | Piwnica | Kjeller
Fiber Optic | Fibra óptica | Glasfaseranschluss | Fibre optique | Glasvezel | Fibernet | Оптоволокно | Fiber | Światłowód | Fiber
Access for people with reduced mobility | Acceso para personas con movilidad reducida | Zugang für Personen mit eingeschränkter Mobilität | Accès pour personnes à mobilité réduite | Toegang voor mindervaliden | Adgang for bevægelseshæmmede | Доступ для людей с ограниченной подвижностью | Tillgängligt för personer med nedsatt rörlighet | Dostęp dla osób o ograniczonej sprawności ruchowej | Tilgang for bevegelseshemmede
+ Terrace | Terraza | Terrasse | Terrasse | Terras | Terrasse | Терраса | Terrass | Taras | Terrasse
+ Roof Terrace | Azotea | Dachterrasse | Toit-terrasse | Dakterras | Tagterrasse | Терраса на крыше | Takterrass | Taras na dachu | Takterrasse
+ Glazed Terrace | Terraza acristalada | Verglaste Terrasse | Terrasse vitrée | Beglaasd terras | Glasinddækket terrasse | Застеклённая терраса | Inglasad terrass | Przeszklony taras | Innglasset terrasse
+ Balcony | Balcón | Balkon | Balcon | Balkon | Altan | Балкон | Balkong | Balkon | Balkong
+ Patio | Patio | Patio | Patio | Patio | Patio | Патио | Patio | Patio | Patio
+ Porch | Porche | Veranda | Porche | Veranda | Overdækket veranda | Крыльцо | Veranda | Ganek | Veranda
+ Wardrobes | Armarios | Schränke | Armoires | Kasten | Garderobeskabe | Шкафы | Garderober | Szafy | Garderober
+ Walk-In Wardrobe | Vestidor | Ankleidezimmer | Dressing | Inloopkast | Walk-in-closet | Гардеробная | Klädkammare | Garderoba | Walk-in garderobe
+ Storage | Almacenaje | Stauraum | Rangement | Bergruimte | Opbevaringsplads | Место для хранения | Förvaring | Miejsce do przechowywania | Oppbevaringsplass
+ Pantry | Despensa | Vorratskammer | Cellier | Provisiekast | Spisekammer | Кладовая для продуктов | Skafferi | Spiżarnia | Spiskammers
+ Laundry Room | Lavandería | Waschküche | Laverie | Wasruimte | Vaskerum | Прачечная | Tvättstuga | Pralnia | Vaskeri
+ Attic | Buhardilla | Dachboden | Grenier | Zolder | Loft | Чердак | Vind | Poddasze | Loft
+ Wine Cellar | Bodega | Weinkeller | Cave à vin | Wijnkelder | Vinkælder | Винный погреб | Vinkällare | Piwnica na wino | Vinkjeller
+ Internet | Internet | Internet | Internet | Internet | Internet | Интернет | Internet | Internet | Internett
+ Video Entry Phone | Videoportero | Videogegensprechanlage | Visiophone | Videofoon | Videodørtelefon | Видеодомофон | Porttelefon med video | Wideodomofon | Porttelefon med video
+ Tiled Floors | Suelo de gres | Fliesenboden | Carrelage | Tegelvloer | Flisegulv | Плиточный пол | Klinkergolv | Podłoga z płytek | Flisgulv
+ Laminate Flooring | Suelo laminado | Laminatboden | Sol stratifié | Laminaatvloer | Laminatgulv | Ламинат | Laminatgolv | Panele podłogowe | Laminatgulv
+ Stone Floors | Suelo de piedra | Steinboden | Sol en pierre | Stenen vloer | Stengulv | Каменный пол | Stengolv | Kamienna podłoga | Steingulv
+ Open Plan | Diáfano | Offener Grundriss | Espace ouvert | Open indeling | Åben planløsning | Открытая планировка | Öppen planlösning | Otwarta przestrzeń | Åpen planløsning
+ Corner | Esquina | Ecklage | Angle | Hoekligging | Hjørne | Угловое расположение | Hörnläge | Narożny | Hjørne
+ Gallery | Galería | Galerie | Galerie | Galerij | Galleri | Галерея | Galleri | Galeria | Galleri
+ Pergola | Pérgola | Pergola | Pergola | Pergola | Pergola | Пергола | Pergola | Pergola | Pergola
+ Spa | Spa | Wellnessbereich | Spa | Spa | Spa | Спа | Spa | Spa | Spa
+ Hydromassage | Hidromasaje | Hydromassage | Hydromassage | Hydromassage | Hydromassage | Гидромассаж | Hydromassage | Hydromasaż | Hydromassasje
+ Piped Music | Hilo musical | Musikanlage | Musique d’ambiance | Ingebouwd muzieksysteem | Musikanlæg | Встроенная музыка | Inbyggt musiksystem | Instalacja muzyczna | Innebygd musikkanlegg
+ Separate Apartment | Apartamento separado | Separates Apartment | Appartement indépendant | Apart appartement | Separat lejlighed | Отдельная квартира | Separat lägenhet | Oddzielny apartament | Separat leilighet
+ TV | TV | Fernseher | Télévision | Tv | Tv | Телевизор | Tv | Telewizor | TV
+ Exterior | Exterior | Außenliegend | Extérieur | Buitengelegen | Udvendig beliggenhed | Окна наружу | Utåtvänd | Od zewnątrz | Utvendig beliggenhet
+ Well | Pozo | Brunnen | Puits | Waterput | Brønd | Колодец | Brunn | Studnia | Brønn
+ Fruit Trees | Árboles frutales | Obstbäume | Arbres fruitiers | Fruitbomen | Frugttræer | Фруктовые деревья | Fruktträd | Drzewa owocowe | Frukttrær
+ Playground | Zona infantil | Spielplatz | Aire de jeux | Speelplaats | Legeplads | Детская площадка | Lekplats | Plac zabaw | Lekeplass
+ Pets Allowed | Se admiten mascotas | Haustiere erlaubt | Animaux acceptés | Huisdieren toegestaan | Husdyr tilladt | Можно с животными | Husdjur tillåtna | Zwierzęta dozwolone | Husdyr tillatt
+ Bright | Luminoso | Hell | Lumineux | Licht | Lys | Светлый | Ljust | Jasny | Lys

== Furniture | Muebles | Möblierung | Mobilier | Meubilair | Møblering | Мебель | Möblering | Umeblowanie | Møblering
Fully Furnished | Totalmente amueblado | Voll möbliert | Entièrement meublé | Volledig gemeubileerd | Fuldt møbleret | Полностью меблировано | Fullt möblerat | W pełni umeblowany | Fullt møblert
Part Furnished | Parcialmente amueblado | Teilmöbliert | Partiellement meublé | Gedeeltelijk gemeubileerd | Delvist møbleret | Частично меблировано | Delvis möblerat | Częściowo umeblowany | Delvis møblert
Not Furnished | Sin amueblar | Unmöbliert | Non meublé | Ongemeubileerd | Umøbleret | Без мебели | Omöblerat | Nieumeblowany | Umøblert
Optional | Opcional | Optional | En option | Optioneel | Valgfrit | По желанию | Valfritt | Opcjonalnie | Valgfritt
+ Furnished | Amueblado | Möbliert | Meublé | Gemeubileerd | Møbleret | Меблировано | Möblerat | Umeblowany | Møblert

== Kitchen | Cocina | Küche | Cuisine | Keuken | Køkken | Кухня | Kök | Kuchnia | Kjøkken
Fully Fitted | Totalmente equipada | Voll ausgestattet | Entièrement équipée | Volledig uitgerust | Fuldt udstyret | Полностью оборудована | Fullt utrustat | W pełni wyposażona | Fullt utstyrt
Partially Fitted | Parcialmente equipada | Teilweise ausgestattet | Partiellement équipée | Gedeeltelijk uitgerust | Delvist udstyret | Частично оборудована | Delvis utrustat | Częściowo wyposażona | Delvis utstyrt
Not Fitted | Sin equipar | Nicht ausgestattet | Non équipée | Niet uitgerust | Ikke udstyret | Не оборудована | Ej utrustat | Niewyposażona | Ikke utstyrt
Kitchen-Lounge | Cocina americana | Wohnküche | Cuisine ouverte sur le séjour | Woonkeuken | Køkken-alrum | Кухня-гостиная | Kök i vardagsrum | Kuchnia z salonem | Åpen kjøkkenløsning
+ Fitted | Equipada | Ausgestattet | Équipée | Uitgerust | Udstyret | Оборудована | Utrustat | Wyposażona | Utstyrt
+ Appliances | Electrodomésticos | Haushaltsgeräte | Électroménager | Huishoudelijke apparatuur | Hårde hvidevarer | Бытовая техника | Vitvaror | Sprzęt AGD | Hvitevarer

== Garden | Jardín | Garten | Jardin | Tuin | Have | Сад | Trädgård | Ogród | Hage
Communal | Comunitario | Gemeinschaftlich | Commun | Gemeenschappelijk | Fælles | Общий | Gemensam | Wspólny | Felles
Private | Privado | Privat | Privé | Privé | Privat | Частный | Privat | Prywatny | Privat
Landscaped | Paisajístico | Landschaftlich gestaltet | Paysager | Aangelegd | Anlagt | Ландшафтный | Anlagd | Zagospodarowany | Opparbeidet
Easy Maintenance | Fácil mantenimiento | Pflegeleicht | Entretien facile | Onderhoudsarm | Letvedligeholdt | Простой в уходе | Lättskött | Łatwy w utrzymaniu | Lettstelt
+ Garden | Jardín | Garten | Jardin | Tuin | Have | Сад | Trädgård | Ogród | Hage
+ Automatic Irrigation | Riego automático | Automatische Bewässerung | Arrosage automatique | Automatische beregening | Automatisk vanding | Автоматический полив | Automatisk bevattning | Automatyczne nawadnianie | Automatisk vanning

== Security | Seguridad | Sicherheit | Sécurité | Beveiliging | Sikkerhed | Безопасность | Säkerhet | Bezpieczeństwo | Sikkerhet
Gated Complex | Urbanización cerrada | Geschlossene Wohnanlage | Résidence fermée | Afgesloten complex | Lukket kompleks | Закрытый комплекс | Inhägnat område | Osiedle zamknięte | Lukket boligområde
Electric Blinds | Persianas eléctricas | Elektrische Rollläden | Volets électriques | Elektrische rolluiken | Elektriske rullejalousier | Электрические рольставни | Elektriska jalusier | Rolety elektryczne | Elektriske persienner
Entry Phone | Portero automático | Gegensprechanlage | Interphone | Intercom | Dørtelefon | Домофон | Porttelefon | Domofon | Porttelefon
Alarm System | Sistema de alarma | Alarmanlage | Système d’alarme | Alarmsysteem | Alarmanlæg | Сигнализация | Larmsystem | System alarmowy | Alarmanlegg
24 Hour Security | Seguridad 24 horas | Sicherheitsdienst rund um die Uhr | Sécurité 24 h sur 24 | 24-uursbewaking | Vagt døgnet rundt | Круглосуточная охрана | Bevakning dygnet runt | Ochrona całodobowa | Vakthold døgnet rundt
Safe | Caja fuerte | Tresor | Coffre-fort | Kluis | Pengeskab | Сейф | Kassaskåp | Sejf | Safe
+ Security | Seguridad | Sicherheit | Sécurité | Beveiliging | Sikkerhed | Безопасность | Säkerhet | Bezpieczeństwo | Sikkerhet
+ Security Door | Puerta blindada | Sicherheitstür | Porte blindée | Veiligheidsdeur | Sikkerhedsdør | Бронированная дверь | Säkerhetsdörr | Drzwi antywłamaniowe | Sikkerhetsdør
+ Concierge | Conserje | Concierge | Concierge | Conciërge | Portner | Консьерж | Portvakt | Portier | Vaktmester
+ Fenced | Vallado | Eingezäunt | Clôturé | Omheind | Indhegnet | Огорожено | Inhägnad tomt | Ogrodzony | Inngjerdet
+ Automatic Gate | Puertas automáticas | Automatisches Tor | Portail automatique | Automatische poort | Automatisk port | Автоматические ворота | Automatisk grind | Automatyczna brama | Automatisk port
+ Fire Alarm | Alarma de incendio | Brandmelder | Alarme incendie | Brandalarm | Brandalarm | Пожарная сигнализация | Brandlarm | Alarm przeciwpożarowy | Brannalarm

== Parking | Aparcamiento | Parken | Stationnement | Parkeren | Parkering | Парковка | Parkering | Parking | Parkering
Underground | Subterráneo | Tiefgarage | Souterrain | Ondergronds | Underjordisk | Подземная | Underjordisk | Podziemny | Underjordisk
Garage | Garaje | Garage | Garage | Garage | Garage | Гараж | Garage | Garaż | Garasje
Covered | Cubierto | Überdacht | Couvert | Overdekt | Overdækket | Крытая | Under tak | Zadaszony | Under tak
Open | Abierto | Im Freien | Ouvert | Open | Åben | Открытая | Öppen | Otwarty | Åpen
Street | Calle | An der Straße | Dans la rue | Op straat | På gaden | На улице | På gatan | Na ulicy | På gaten
More Than One | Más de uno | Mehr als ein Stellplatz | Plus d’une place | Meer dan één | Mere end én | Более одного места | Fler än en | Więcej niż jedno | Mer enn én
Communal | Comunitario | Gemeinschaftlich | Commun | Gemeenschappelijk | Fælles | Общая | Gemensam | Wspólny | Felles
Private | Privado | Privat | Privé | Privé | Privat | Частная | Privat | Prywatny | Privat
EV charge point | Punto de recarga | Ladestation | Borne de recharge | Laadpaal | Ladestander | Зарядка для электромобиля | Laddstation | Punkt ładowania | Elbillader
+ Parking | Aparcamiento | Parken | Stationnement | Parkeren | Parkering | Парковка | Parkering | Parking | Parkering
+ Parking Space | Plaza de aparcamiento | Stellplatz | Place de parking | Parkeerplaats | Parkeringsplads | Парковочное место | Parkeringsplats | Miejsce parkingowe | Parkeringsplass

== Utilities | Suministros | Versorgung | Raccordements | Nutsvoorzieningen | Forsyning | Коммуникации | Försörjning | Media | Forsyning
Electricity | Electricidad | Strom | Électricité | Elektriciteit | Elektricitet | Электричество | El | Prąd | Strøm
Drinkable Water | Agua potable | Trinkwasser | Eau potable | Drinkwater | Drikkevand | Питьевая вода | Dricksvatten | Woda pitna | Drikkevann
Telephone | Teléfono | Telefon | Téléphone | Telefoon | Telefon | Телефон | Telefon | Telefon | Telefon
Gas | Gas | Gas | Gaz | Gas | Gas | Газ | Gas | Gaz | Gass
Photovoltaic solar panels | Paneles solares fotovoltaicos | Photovoltaikanlage | Panneaux photovoltaïques | Fotovoltaïsche zonnepanelen | Solceller | Солнечные батареи | Solceller | Panele fotowoltaiczne | Solcellepaneler
Solar water heating | Agua caliente solar | Solare Warmwasserbereitung | Chauffe-eau solaire | Zonneboiler | Solopvarmet vand | Солнечный водонагреватель | Solvärmt vatten | Solarne podgrzewanie wody | Solvarmet vann
+ Water | Agua | Wasser | Eau | Water | Vand | Вода | Vatten | Woda | Vann
+ Solar Panels | Paneles solares | Solarmodule | Panneaux solaires | Zonnepanelen | Solpaneler | Солнечные панели | Solpaneler | Panele słoneczne | Solpaneler
+ Water Tank | Depósito de agua | Wassertank | Citerne d’eau | Watertank | Vandtank | Резервуар для воды | Vattentank | Zbiornik na wodę | Vanntank
+ Water Softener | Descalcificador | Wasserenthärter | Adoucisseur d’eau | Waterontharder | Blødgøringsanlæg | Умягчитель воды | Vattenavhärdare | Zmiękczacz wody | Vannmykner
+ Three-Phase Power | Trifásica | Drehstrom | Courant triphasé | Krachtstroom | Trefaset strøm | Трёхфазный ток | Trefasström | Prąd trójfazowy | Trefasestrøm

== Category | Categoría | Kategorie | Catégorie | Categorie | Kategori | Категория | Kategori | Kategoria | Kategori
Bargain | Ganga | Schnäppchen | Bonne affaire | Koopje | Godt køb | Выгодное предложение | Fynd | Okazja | Røverkjøp
Beachfront | Primera línea de playa | Erste Strandlinie | Première ligne de plage | Eerstelijns strand | Første række til stranden | Первая линия пляжа | Första linjen till stranden | Pierwsza linia plaży | Første linje til stranden
Cheap | Barato | Preiswert | Bon marché | Goedkoop | Billig | Недорого | Billigt | Tanio | Billig
Distressed | Venta urgente | Notverkauf | Vente urgente | Noodverkoop | Nødsalg | Срочная продажа | Nödförsäljning | Pilna sprzedaż | Nødsalg
Golf | Golf | Golf | Golf | Golf | Golf | Гольф | Golf | Golf | Golf
Holiday Homes | Casas de vacaciones | Ferienhäuser | Maisons de vacances | Vakantiewoningen | Feriehuse | Дома для отдыха | Semesterbostäder | Domy wakacyjne | Feriehus
Investment | Inversión | Kapitalanlage | Investissement | Investering | Investering | Инвестиция | Investering | Inwestycja | Investering
Luxury | Lujo | Luxus | Luxe | Luxe | Luksus | Люкс | Lyx | Luksus | Luksus
Off Plan | Sobre plano | Vom Plan | Sur plan | Van plan | Projektsalg | На стадии проекта | På ritning | Na etapie projektu | På prosjektstadiet
Reduced | Rebajado | Preisreduziert | Prix réduit | Verlaagd in prijs | Nedsat | Цена снижена | Sänkt pris | Cena obniżona | Nedsatt pris
Repossession | Embargo bancario | Bankverwertung | Saisie bancaire | Bankbeslag | Bankovertaget | Банковская недвижимость | Bankägd | Przejęcie bankowe | Bankovertatt
Resale | Reventa | Wiederverkauf | Revente | Wederverkoop | Videresalg | Вторичное жильё | Andrahandsförsäljning | Rynek wtórny | Videresalg
With Planning Permission | Con licencia de obra | Mit Baugenehmigung | Avec permis de construire | Met bouwvergunning | Med byggetilladelse | С разрешением на строительство | Med bygglov | Z pozwoleniem na budowę | Med byggetillatelse
Contemporary | Contemporáneo | Zeitgenössisch | Contemporain | Hedendaags | Moderne | Современный стиль | Modernt | Współczesny | Moderne
New Development | Nueva promoción | Neubauprojekt | Nouveau programme | Nieuwbouwproject | Nyt byggeprojekt | Новый проект | Nybyggnadsprojekt | Nowa inwestycja | Nytt boligprosjekt
`;
