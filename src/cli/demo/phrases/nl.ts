import type { Phrases } from './topics.ts';

/** Dutch. */
export const nl: Phrases = {
  facts: 'Slaapkamers: {beds}, badkamers: {baths}, bebouwde oppervlakte: {built} m².',
  beach:
    'Op korte loopafstand van het strand, met de boulevard, de strandtenten en de ochtendmarkt zo dichtbij dat de auto thuis kan blijven.',
  golf: 'Gelegen langs de fairways van een van de bekende golfbanen van de kust, met het clubhuis en het restaurant op enkele minuten.',
  town: 'In het hart van {town}, waar cafés, winkels, de markthal en de bushalte allemaal op dezelfde korte wandeling liggen.',
  countryside:
    'Omringd door olijf- en amandelbomen, aan een rustige weg vanwaar {town} en de snelweg toch maar een klein stukje rijden zijn.',
  light:
    'Grote ramen en een doordachte indeling brengen daglicht in elke kamer, van de eerste kop koffie tot de zonsondergang.',
  living:
    'De woon- en eetkamer komt via schuifdeuren uit op het terras, zodat het leven zich het grootste deel van het jaar buiten afspeelt.',
  kitchen:
    'De keuken is volledig ingericht, met apparatuur van goede kwaliteit, stenen werkbladen en een aparte bijkeuken.',
  bedrooms:
    'De slaapkamers zijn rustig en ruim, met inbouwkasten; de hoofdslaapkamer heeft een eigen badkamer en toegang tot het terras.',
  bathrooms:
    'De badkamers zijn afgewerkt met natuurlijke materialen, inloopdouches en vloerverwarming voor de paar koele weken in de winter.',
  workspace:
    'Een rustige kamer met glasvezel dient als werkkamer of logeerkamer, zodat werk en vakantie hier goed samengaan.',
  terrace:
    'Het terras is diep genoeg voor een lange tafel en voor ligbedden, ligt uit de wind en heeft bijna de hele dag zon.',
  sea: 'Van hieruit reikt het uitzicht over de Middellandse Zee tot Gibraltar en op heldere dagen tot de bergen van Noord-Afrika.',
  mountain:
    'In het noorden verrijst de sierra, waarvan de kleuren van uur tot uur veranderen en die de zomernachten aangenaam koel houdt.',
  pool: 'Het zwembad is omgeven door gazon en volgroeide palmen en heeft zon van de vroege ochtend tot laat in de avond.',
  garden:
    'De tuin is beplant met bougainville, citrusbomen en jasmijn en wordt automatisch besproeid, zodat hij weinig werk vraagt.',
  garage:
    'Een garageplaats en een berging zijn inbegrepen, wat veel waard is op een plek die in de zomer zo geliefd is.',
  climate:
    'Airconditioning voor de zomer en verwarming voor de winter zijn overal aanwezig, met het hele jaar door lage kosten.',
  newBuild:
    'Gebouwd volgens de huidige normen en met tien jaar garantie op de constructie; wordt met alle vergunningen instapklaar opgeleverd.',
  community:
    'De vereniging is klein en goed geleid, met tuinen, een conciërge en beveiliging, en de bijdrage is in jaren nauwelijks veranderd.',
  amenities:
    'Supermarkten, apotheken, een gezondheidscentrum en een ruime keuze aan restaurants zijn te voet of in enkele autominuten bereikbaar.',
  airport:
    'De luchthaven van Málaga is via de snelweg binnen een uur te bereiken en bussen langs de kust maken veel ritten gemakkelijk.',
  schools:
    'Verschillende internationale scholen en sportclubs liggen in de buurt, waardoor de omgeving het hele jaar geliefd is bij gezinnen.',
  sunshine:
    'Met meer dan driehonderd zonnige dagen per jaar, zachte winters en een zeebries in de zomer is het klimaat op zich al een reden.',
  market:
    'De vraag in {town} is al jaren stabiel, en aanbod van deze kwaliteit en ligging blijft zelden lang op de markt.',
  rental:
    'Het wordt gemeubileerd en volledig uitgerust verhuurd, inclusief linnengoed, voor een week, een seizoen of het hele jaar.',
  plot: 'Alle voorzieningen liggen tot aan de perceelgrens, en een voorontwerp met tekeningen is op ons kantoor in te zien.',
  viewing:
    'Wij hebben de sleutels en laten het graag op elk moment zien; voor wie in het buitenland is, kan een bezichtiging ook via video.',
};
