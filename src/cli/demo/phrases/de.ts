import type { Phrases } from './topics.ts';

/** German. */
export const de: Phrases = {
  facts: 'Schlafzimmer: {beds}, Bäder: {baths}, bebaute Fläche: {built} m².',
  beach:
    'Nur wenige Schritte vom Strand entfernt; Promenade, Strandlokale und Wochenmarkt liegen so nah, dass das Auto zu Hause bleiben kann.',
  golf: 'Direkt an den Spielbahnen eines der bekannten Golfplätze der Küste gelegen, das Clubhaus mit seinem Restaurant ist in Minuten erreicht.',
  town: 'Mitten im Herzen von {town}, wo Cafés, Geschäfte, Markthalle und Bushaltestelle auf demselben kurzen Spaziergang liegen.',
  countryside:
    'Umgeben von Oliven- und Mandelbäumen, an einer ruhigen Straße, von der aus {town} und die Autobahn dennoch schnell erreichbar sind.',
  light:
    'Große Fenster und ein durchdachter Grundriss bringen Tageslicht in jeden Raum, vom ersten Kaffee am Morgen bis zum Sonnenuntergang.',
  living:
    'Der Wohn- und Essbereich öffnet sich über Schiebetüren zur Terrasse, sodass man die meiste Zeit des Jahres draußen lebt.',
  kitchen:
    'Die Küche ist komplett eingerichtet, mit hochwertigen Geräten, Arbeitsplatten aus Stein und einem eigenen Hauswirtschaftsraum.',
  bedrooms:
    'Die Schlafzimmer sind ruhig und großzügig und haben Einbauschränke; zum Hauptschlafzimmer gehören ein eigenes Bad und der Zugang zur Terrasse.',
  bathrooms:
    'Die Bäder sind mit natürlichen Materialien, bodengleichen Duschen und Fußbodenheizung für die wenigen kühlen Wochen im Winter ausgestattet.',
  workspace:
    'Ein ruhiges Zimmer mit Glasfaseranschluss dient als Büro oder Gästezimmer, so lassen sich Arbeit und Urlaub gut verbinden.',
  terrace:
    'Die Terrasse bietet Platz für einen langen Tisch und für Sonnenliegen, ist windgeschützt und fast den ganzen Tag sonnig.',
  sea: 'Von hier reicht der Blick über das Mittelmeer bis nach Gibraltar und an klaren Tagen bis zu den Bergen Nordafrikas.',
  mountain:
    'Im Norden erhebt sich die Sierra, deren Farben sich von Stunde zu Stunde ändern und die die Sommernächte angenehm kühl hält.',
  pool: 'Der Pool ist von Rasen und alten Palmen umgeben und liegt vom frühen Morgen bis zum späten Abend in der Sonne.',
  garden:
    'Der Garten ist mit Bougainvilleen, Zitrusbäumen und Jasmin bepflanzt und wird automatisch bewässert, sodass er wenig Arbeit macht.',
  garage:
    'Ein Garagenstellplatz und ein Abstellraum gehören dazu, was an einem im Sommer so beliebten Ort viel wert ist.',
  climate:
    'Klimaanlage für den Sommer und Heizung für den Winter sind in allen Räumen vorhanden, bei niedrigen Kosten das ganze Jahr über.',
  newBuild:
    'Nach heutigen Standards gebaut und mit zehnjähriger Gewährleistung versichert, wird es mit allen Genehmigungen bezugsfertig übergeben.',
  community:
    'Die Wohnanlage ist klein und gut geführt, mit Gärten, Hausmeister und Sicherheitsdienst; das Hausgeld ist seit Jahren fast gleich.',
  amenities:
    'Supermärkte, Apotheken, ein Ärztehaus und viele gute Restaurants sind zu Fuß oder in wenigen Autominuten erreichbar.',
  airport:
    'Der Flughafen Málaga ist über die Autobahn in weniger als einer Stunde erreicht, und Busse entlang der Küste erleichtern viele Wege.',
  schools:
    'Mehrere internationale Schulen und Sportvereine liegen in der Nähe, weshalb die Gegend das ganze Jahr über bei Familien beliebt ist.',
  sunshine:
    'Mit mehr als dreihundert Sonnentagen im Jahr, milden Wintern und einer Meeresbrise im Sommer ist schon das Klima ein Grund zu kommen.',
  market:
    'Die Nachfrage in {town} ist seit Jahren stabil, und Angebote dieser Qualität und Lage bleiben selten lange auf dem Markt.',
  rental:
    'Vermietet wird möbliert und voll ausgestattet, einschließlich Wäsche, für eine Woche, eine Saison oder das ganze Jahr.',
  plot: 'Alle Anschlüsse liegen an der Grundstücksgrenze, und ein Vorentwurf mit Plänen kann in unserem Büro eingesehen werden.',
  viewing:
    'Wir haben die Schlüssel und zeigen es Ihnen gern jederzeit; für Interessenten im Ausland bieten wir Besichtigungen per Videoanruf an.',
};
