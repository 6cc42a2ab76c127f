/** A record, as the description of the API shows it. */
const PROPERTY = [
  '<property><id>R4100001</id><ref>CS-1001</ref><last_updated>2026-03-04 05:06:07',
  '</last_updated><status>Available</status><availability>Available</availability>',
  '<currency>EUR</currency><price>1250000</price><price_freq>sale</price_freq>',
  '<price_minimum>0</price_minimum><type><uk>House</uk></type><subtype><uk>Detached Villa',
  '</uk></subtype><town>Marbella</town><area>Nueva Andalucía</area><province>Málaga',
  '</province><location><latitude>36.5</latitude><longitude>-4.95</longitude></location>',
  '<beds>5</beds><baths>4</baths><Bath>4.5</Bath><surface_area><built>320</built><plot>1100',
  '</plot></surface_area><built_year>2004</built_year><has_pool>1</has_pool><has_garden>0',
  '</has_garden><has_garage>0</has_garage><energy_rating><emissions>B</emissions>',
  '<consumption>C</consumption></energy_rating><description><uk>A villa close to the sea.',
  '</uk></description><characteristics><category><name><uk>Views</uk></name><value><uk>Sea',
  '</uk></value></category></characteristics><images><image id="1">',
  '<url>https://pictures.example/1.jpg</url></image></images></property>',
].join('');

/** A feed with these records. */
function version3(...records: readonly string[]): string {
  const version = '<resalesonline><feed_version>3</feed_version></resalesonline>';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<root>',
    version,
    ...records,
    '</root>',
    '',
  ].join('\n');
}

/** Documents of version 3, with a record and without. */
export const EXAMPLES = { version3: version3(PROPERTY), page2: version3() };
