import type { Phrases } from './topics.ts';

/** English. */
export const uk: Phrases = {
  facts: 'Bedrooms: {beds}, bathrooms: {baths}, built area: {built} m².',
  beach:
    'A short walk from the sand, with the promenade, the beach bars and the morning market close enough to leave the car at home.',
  golf: 'Set beside the fairways of one of the coast’s established golf courses, with the clubhouse and its restaurant only minutes away.',
  town: 'In the heart of {town}, where cafés, shops, the market hall and the bus stop all belong to the same short stroll.',
  countryside:
    'Surrounded by olive and almond trees, on a quiet lane from which {town} and the motorway are still only a short drive away.',
  light:
    'Large windows and a well-planned layout bring daylight into every room, from the first coffee of the morning until sunset.',
  living:
    'The living and dining area opens through sliding doors to the terrace, so that for most of the year life is lived outdoors.',
  kitchen:
    'The kitchen is fully fitted, with quality appliances, stone worktops and a separate utility room for washing and storage.',
  bedrooms:
    'The bedrooms are quiet and generous, with fitted wardrobes; the main bedroom has its own bathroom and access to the terrace.',
  bathrooms:
    'The bathrooms have been finished in natural materials, with walk-in showers and underfloor heating for the few cool weeks of winter.',
  workspace:
    'A quiet room with fibre internet serves as a study or a guest room, so that work and holidays go well together here.',
  terrace:
    'The terrace is deep enough for a long table and for sunbeds, sheltered from the wind and sunny for most of the day.',
  sea: 'From here the view runs over the Mediterranean to Gibraltar and, on clear days, to the mountains of North Africa.',
  mountain:
    'To the north rises the sierra, whose colours change by the hour and which keeps the summer nights pleasantly cool.',
  pool: 'The pool is surrounded by lawn and mature palms and has the sun from early morning until late in the evening.',
  garden:
    'The garden is planted with bougainvillea, citrus and jasmine and is watered automatically, so that it takes little work.',
  garage: 'A garage space and a storage room are included, which is worth a good deal in a place so popular in summer.',
  climate:
    'Air conditioning for the summer and heating for the winter are installed throughout, with modest energy bills all year round.',
  newBuild:
    'Built to current standards and with ten-year structural insurance, it is handed over with all licences, ready to move in.',
  community:
    'The community is small and well run, with gardens, a concierge and security, and its fees have hardly changed in years.',
  amenities:
    'Supermarkets, pharmacies, a health centre and a good choice of restaurants are within walking distance or a few minutes by car.',
  airport:
    'Málaga airport is less than an hour away by motorway, and buses along the coast make many journeys easier still.',
  schools:
    'Several international schools and sports clubs are nearby, which makes the area popular with families all year round.',
  sunshine:
    'With more than three hundred days of sun a year, mild winters and a sea breeze in summer, the climate is a reason in itself to come.',
  market:
    'Demand in {town} has been steady for years, and properties of this quality and position seldom stay on the market for long.',
  rental:
    'It is let furnished and fully equipped, linen included, and can be taken for a week, a season or the whole year.',
  plot: 'The plot has all services at its boundary, and a preliminary project with drawings can be seen at our office.',
  viewing:
    'We hold the keys and are glad to show it at any time; for those who are abroad we also arrange viewings by video call.',
};
