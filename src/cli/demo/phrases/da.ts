import type { Phrases } from './topics.ts';

/** Danish. */
export const da: Phrases = {
  facts: 'Soveværelser: {beds}, badeværelser: {baths}, bebygget areal: {built} m².',
  beach:
    'En kort gåtur fra sandet, med promenaden, strandbarerne og morgenmarkedet så tæt på, at bilen kan blive hjemme.',
  golf: 'Beliggende ved banerne på en af kystens kendte golfbaner, med klubhuset og dets restaurant blot få minutter væk.',
  town: 'Midt i hjertet af {town}, hvor caféer, butikker, markedshallen og busstoppestedet alle ligger på den samme korte gåtur.',
  countryside:
    'Omgivet af oliven- og mandeltræer på en stille vej, hvorfra der alligevel kun er en kort køretur til {town} og motorvejen.',
  light:
    'Store vinduer og en gennemtænkt planløsning bringer dagslys ind i alle rum, fra den første kop kaffe til solnedgang.',
  living: 'Opholds- og spisestuen åbner sig gennem skydedøre mod terrassen, så det meste af året leves udendørs.',
  kitchen:
    'Køkkenet er fuldt indrettet med hårde hvidevarer af god kvalitet, bordplader i sten og et separat bryggers.',
  bedrooms:
    'Soveværelserne er rolige og rummelige med indbyggede skabe; det største har eget badeværelse og udgang til terrassen.',
  bathrooms:
    'Badeværelserne er udført i naturlige materialer med store brusenicher og gulvvarme til vinterens få kølige uger.',
  workspace:
    'Et roligt værelse med fibernet kan bruges som kontor eller gæsteværelse, så arbejde og ferie går godt hånd i hånd.',
  terrace:
    'Terrassen er dyb nok til både et langbord og liggestole, ligger i læ for vinden og har sol det meste af dagen.',
  sea: 'Herfra rækker udsigten over Middelhavet til Gibraltar og på klare dage helt til Nordafrikas bjerge.',
  mountain:
    'Mod nord rejser bjergkæden sig; dens farver skifter time for time, og den holder sommernætterne behageligt kølige.',
  pool: 'Poolen er omgivet af græsplæne og store palmer og har sol fra tidlig morgen til sen aften.',
  garden:
    'Haven er beplantet med bougainvillea, citrustræer og jasmin og vandes automatisk, så den kræver kun lidt arbejde.',
  garage:
    'En garageplads og et opbevaringsrum følger med, hvilket er meget værd på et sted, der er så populært om sommeren.',
  climate: 'Der er aircondition til sommeren og varme til vinteren i alle rum, med lave driftsudgifter hele året.',
  newBuild:
    'Opført efter gældende standarder og med ti års byggegaranti; overdrages med alle tilladelser og klar til indflytning.',
  community:
    'Ejerforeningen er lille og veldrevet, med haver, vicevært og vagt, og bidraget har næsten ikke ændret sig i årevis.',
  amenities:
    'Supermarkeder, apoteker, et lægehus og et godt udvalg af restauranter nås til fods eller på få minutter i bil.',
  airport:
    'Málaga lufthavn ligger under en time væk ad motorvejen, og busserne langs kysten gør mange ture endnu lettere.',
  schools:
    'Flere internationale skoler og sportsklubber ligger i nærheden, og derfor er området populært blandt familier hele året.',
  sunshine:
    'Med mere end tre hundrede solskinsdage om året, milde vintre og havbrise om sommeren er klimaet i sig selv en grund til at komme.',
  market:
    'Efterspørgslen i {town} har været stabil i årevis, og det er sjældent, at noget af denne kvalitet er længe til salg.',
  rental: 'Det udlejes møbleret og fuldt udstyret, inklusive linned, for en uge, en sæson eller hele året.',
  plot: 'Alle installationer er ført frem til skellet, og et skitseprojekt med tegninger kan ses på vores kontor.',
  viewing:
    'Vi har nøglerne og viser det gerne frem når som helst; er du i udlandet, kan fremvisningen også ske over video.',
};
