import type { Phrases } from './topics.ts';

/** Polish. */
export const pl: Phrases = {
  facts: 'Sypialnie: {beds}, łazienki: {baths}, powierzchnia zabudowy: {built} m².',
  beach:
    'Do plaży prowadzi krótki spacer, a promenada, plażowe bary i poranny targ są tak blisko, że samochód może zostać w domu.',
  golf: 'Położenie tuż przy polach jednego z uznanych klubów golfowych wybrzeża, a do domu klubowego z restauracją jest tylko kilka minut.',
  town: 'W samym sercu miejscowości {town}, gdzie kawiarnie, sklepy, hala targowa i przystanek autobusowy leżą na trasie jednego spaceru.',
  countryside:
    'Wśród drzew oliwnych i migdałowców, przy spokojnej drodze, skąd do miejscowości {town} i do autostrady jest jednak niedaleko.',
  light:
    'Duże okna i przemyślany układ wnoszą światło do każdego pokoju, od pierwszej porannej kawy aż po zachód słońca.',
  living:
    'Salon z jadalnią otwiera się przez przesuwne drzwi na taras, dzięki czemu przez większą część roku życie toczy się na zewnątrz.',
  kitchen: 'Kuchnia jest w pełni wyposażona: dobrej jakości sprzęt, kamienne blaty i osobne pomieszczenie gospodarcze.',
  bedrooms: 'Sypialnie są ciche i przestronne, z szafami wnękowymi; główna ma własną łazienkę i wyjście na taras.',
  bathrooms:
    'Łazienki wykończono naturalnymi materiałami, z prysznicami bez progu i ogrzewaniem podłogowym na kilka chłodniejszych tygodni zimy.',
  workspace:
    'Cichy pokój ze światłowodem służy jako gabinet lub pokój gościnny, więc praca i wypoczynek dobrze się tu łączą.',
  terrace:
    'Taras jest na tyle głęboki, że mieści długi stół i leżaki, osłonięty od wiatru i słoneczny niemal przez cały dzień.',
  sea: 'Stąd widok sięga przez Morze Śródziemne aż po Gibraltar, a w pogodne dni po góry północnej Afryki.',
  mountain:
    'Na północy wznosi się pasmo gór, którego barwy zmieniają się z godziny na godzinę i które łagodzi upał letnich nocy.',
  pool: 'Basen otaczają trawnik i wysokie palmy, a słońce świeci tu od wczesnego ranka do późnego wieczora.',
  garden:
    'W ogrodzie rosną bugenwille, cytrusy i jaśmin, a dzięki automatycznemu nawadnianiu wymaga on niewiele pracy.',
  garage: 'W cenie jest miejsce w garażu i komórka lokatorska, co jest bardzo cenne w miejscu tak popularnym latem.',
  climate:
    'Klimatyzacja na lato i ogrzewanie na zimę są w każdym pomieszczeniu, a koszty utrzymania pozostają niskie przez cały rok.',
  newBuild:
    'Zbudowano według obecnych norm i z dziesięcioletnim ubezpieczeniem konstrukcji; oddanie ze wszystkimi pozwoleniami, gotowe do zamieszkania.',
  community:
    'Wspólnota jest mała i dobrze zarządzana, z ogrodami, dozorcą i ochroną, a jej opłaty od lat prawie się nie zmieniły.',
  amenities:
    'Supermarkety, apteki, przychodnia i duży wybór restauracji są w zasięgu spaceru lub kilku minut jazdy samochodem.',
  airport:
    'Lotnisko w Maladze jest niecałą godzinę drogi autostradą, a autobusy wzdłuż wybrzeża ułatwiają wiele podróży.',
  schools:
    'W pobliżu jest kilka szkół międzynarodowych i klubów sportowych, dlatego okolica przez cały rok cieszy się uznaniem rodzin.',
  sunshine:
    'Ponad trzysta słonecznych dni w roku, łagodne zimy i morska bryza latem: już sam klimat jest powodem, by tu przyjechać.',
  market:
    'Popyt w miejscowości {town} od lat jest stabilny, a oferty tej jakości i o takim położeniu rzadko długo czekają na rynku.',
  rental: 'Wynajem z meblami i pełnym wyposażeniem, łącznie z pościelą, na tydzień, na sezon lub na cały rok.',
  plot: 'Wszystkie media doprowadzono do granicy działki, a wstępny projekt z rysunkami można obejrzeć w naszym biurze.',
  viewing:
    'Mamy klucze i chętnie pokażemy nieruchomość w każdej chwili; osobom za granicą proponujemy również prezentację wideo.',
};
