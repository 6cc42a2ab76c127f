import type { Phrases } from './topics.ts';

/** Norwegian. */
export const no: Phrases = {
  facts: 'Soverom: {beds}, bad: {baths}, bebygd areal: {built} m².',
  beach:
    'En kort spasertur fra sanden, med strandpromenaden, strandbarene og morgenmarkedet så nær at bilen kan bli stående hjemme.',
  golf: 'Beliggende ved banene på en av kystens kjente golfbaner, med klubbhuset og restauranten bare noen minutter unna.',
  town: 'Midt i hjertet av {town}, der kafeer, butikker, markedshallen og bussholdeplassen alle ligger på den samme korte turen.',
  countryside:
    'Omgitt av oliven- og mandeltrær ved en rolig vei, og likevel er det bare en kort kjøretur til {town} og motorveien.',
  light:
    'Store vinduer og en gjennomtenkt planløsning slipper dagslyset inn i alle rom, fra morgenens første kaffe til solnedgang.',
  living:
    'Stue og spiseplass åpner seg gjennom skyvedører mot terrassen, slik at livet leves utendørs det meste av året.',
  kitchen: 'Kjøkkenet er fullt utstyrt med hvitevarer av god kvalitet, benkeplater i stein og eget vaskerom.',
  bedrooms:
    'Soverommene er rolige og romslige med innebygde garderober; det største har eget bad og utgang til terrassen.',
  bathrooms: 'Badene er utført i naturlige materialer, med romslige dusjer og gulvvarme til vinterens få kjølige uker.',
  workspace: 'Et rolig rom med fiber kan brukes som kontor eller gjesterom, så arbeid og ferie går godt sammen her.',
  terrace: 'Terrassen er dyp nok til både langbord og solsenger, ligger i le for vinden og har sol det meste av dagen.',
  sea: 'Herfra strekker utsikten seg over Middelhavet til Gibraltar og på klare dager helt til fjellene i Nord-Afrika.',
  mountain:
    'I nord reiser fjellkjeden seg; fargene skifter fra time til time, og den holder sommernettene behagelig kjølige.',
  pool: 'Bassenget er omgitt av plen og høye palmer og har sol fra tidlig morgen til sen kveld.',
  garden:
    'Hagen er beplantet med bougainvillea, sitrustrær og sjasmin og vannes automatisk, så den krever lite arbeid.',
  garage: 'Garasjeplass og bod følger med, noe som er mye verdt på et sted som er så populært om sommeren.',
  climate: 'Det er klimaanlegg for sommeren og oppvarming for vinteren i alle rom, med lave driftskostnader hele året.',
  newBuild:
    'Bygget etter dagens standard og med ti års byggeforsikring; overleveres med alle tillatelser og er klart til innflytting.',
  community:
    'Sameiet er lite og veldrevet, med hager, vaktmester og vakthold, og felleskostnadene har knapt endret seg på mange år.',
  amenities:
    'Dagligvarebutikker, apotek, legesenter og et godt utvalg av restauranter nås til fots eller på få minutter med bil.',
  airport:
    'Málaga lufthavn ligger under en time unna på motorveien, og bussene langs kysten gjør mange reiser enda enklere.',
  schools:
    'Flere internasjonale skoler og idrettsklubber ligger i nærheten, og derfor er området populært blant familier hele året.',
  sunshine:
    'Med mer enn tre hundre soldager i året, milde vintre og havbris om sommeren er klimaet i seg selv en grunn til å komme.',
  market:
    'Etterspørselen i {town} har vært stabil i mange år, og det er sjelden noe med denne kvaliteten og beliggenheten er lenge til salgs.',
  rental: 'Det leies ut møblert og fullt utstyrt, sengetøy inkludert, for en uke, en sesong eller hele året.',
  plot: 'Alle tilkoblinger ligger ved tomtegrensen, og et skisseprosjekt med tegninger kan ses på kontoret vårt.',
  viewing:
    'Vi har nøklene og viser det gjerne frem når som helst; for den som er i utlandet, kan visningen også skje over video.',
};
