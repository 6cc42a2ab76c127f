import type { Phrases } from './topics.ts';

/** French. */
export const fr: Phrases = {
  facts: 'Chambres : {beds}, salles de bains : {baths}, surface construite : {built} m².',
  beach:
    'À quelques pas du sable, la promenade, les restaurants de plage et le marché du matin sont assez proches pour oublier la voiture.',
  golf: 'Au bord des parcours de l’un des golfs réputés de la côte, avec le club-house et son restaurant à quelques minutes à peine.',
  town: 'Au cœur de {town}, où les cafés, les commerces, le marché couvert et l’arrêt de bus font partie de la même petite promenade.',
  countryside:
    'Entouré d’oliviers et d’amandiers, sur un chemin tranquille d’où l’on rejoint pourtant {town} et l’autoroute en peu de temps.',
  light:
    'De grandes fenêtres et un plan bien pensé font entrer la lumière dans chaque pièce, du premier café du matin jusqu’au coucher du soleil.',
  living:
    'Le séjour et la salle à manger s’ouvrent par des baies coulissantes sur la terrasse, si bien que l’on vit dehors presque toute l’année.',
  kitchen:
    'La cuisine est entièrement équipée, avec des appareils de qualité, des plans de travail en pierre et une buanderie séparée.',
  bedrooms:
    'Les chambres sont calmes et spacieuses, avec placards intégrés ; la principale dispose de sa salle de bains et d’un accès à la terrasse.',
  bathrooms:
    'Les salles de bains, aux matériaux naturels, ont des douches à l’italienne et un chauffage au sol pour les quelques semaines fraîches.',
  workspace:
    'Une pièce calme avec la fibre sert de bureau ou de chambre d’amis : le travail et les vacances s’accordent bien ici.',
  terrace:
    'La terrasse est assez profonde pour une longue table et des transats, abritée du vent et ensoleillée presque toute la journée.',
  sea: 'D’ici, la vue s’étend sur la Méditerranée jusqu’à Gibraltar et, par temps clair, jusqu’aux montagnes d’Afrique du Nord.',
  mountain:
    'Au nord se dresse la sierra, dont les couleurs changent d’heure en heure et qui garde les nuits d’été agréablement fraîches.',
  pool: 'La piscine est entourée de pelouse et de grands palmiers et profite du soleil du petit matin jusqu’en fin de soirée.',
  garden:
    'Le jardin est planté de bougainvilliers, d’agrumes et de jasmin ; l’arrosage automatique le rend facile à entretenir.',
  garage: 'Une place de garage et un débarras sont compris, ce qui est précieux dans un lieu si fréquenté en été.',
  climate:
    'La climatisation pour l’été et le chauffage pour l’hiver sont installés partout, avec des charges modérées toute l’année.',
  newBuild:
    'Construit selon les normes actuelles et couvert par une garantie décennale, il est livré avec toutes les licences, prêt à habiter.',
  community:
    'La copropriété est petite et bien gérée, avec jardins, concierge et sécurité, et ses charges n’ont guère changé depuis des années.',
  amenities:
    'Supermarchés, pharmacies, centre de santé et un bon choix de restaurants sont accessibles à pied ou en quelques minutes de voiture.',
  airport:
    'L’aéroport de Málaga est à moins d’une heure par l’autoroute, et les bus de la côte facilitent bien des trajets.',
  schools:
    'Plusieurs écoles internationales et clubs de sport se trouvent à proximité, ce qui plaît aux familles toute l’année.',
  sunshine:
    'Avec plus de trois cents jours de soleil par an, des hivers doux et une brise marine en été, le climat est à lui seul une raison de venir.',
  market:
    'La demande à {town} est soutenue depuis des années, et les biens de cette qualité et de cet emplacement restent rarement longtemps en vente.',
  rental: 'Il se loue meublé et entièrement équipé, linge compris, pour une semaine, une saison ou toute l’année.',
  plot: 'Le terrain a tous les réseaux en limite, et un avant-projet avec plans peut être consulté à notre bureau.',
  viewing:
    'Nous avons les clés et le faisons visiter volontiers à tout moment ; pour ceux qui sont à l’étranger, une visite en vidéo est possible.',
};
