/** What the feeds of the examples contain: the property of the demo account that is sold, in each format. */

export const BEFORE_RECORDS = `<?xml version="1.0" encoding="UTF-8"?>
<root>
<resalesonline><feed_version>3</feed_version></resalesonline>
`;

/** One line of the feed. */
export const RECORD = [
  '<property><id>R4100001</id><ref>CS-1001</ref><last_updated>2026-03-04 05:06:07</last_updated>',
  '<status>Available</status><availability>Available</availability><currency>EUR</currency>',
  '<price>1250000</price><price_freq>sale</price_freq><price_minimum>0</price_minimum>',
  '<type><uk>House</uk></type><subtype><uk>Detached Villa</uk></subtype><town>Marbella</town>',
  '<area>Nueva Andalucía</area><province>Málaga</province><location><latitude>36.5</latitude>',
  '<longitude>-4.95</longitude></location><beds>5</beds><baths>4</baths><Bath>4.5</Bath>',
  '<surface_area><built>320</built><plot>1100</plot></surface_area><built_year>2004</built_year>',
  '<has_pool>1</has_pool><has_garden>0</has_garden><has_garage>0</has_garage>',
  '<energy_rating><emissions>B</emissions><consumption>C</consumption></energy_rating>',
  '<description><uk>A villa close to the sea.</uk></description>',
  '<characteristics><category><name><uk>Views</uk></name><value><uk>Sea</uk></value></category></characteristics>',
  '<images><image id="1"><url>https://pictures.example/1.jpg</url></image></images></property>',
].join('');

export const KYERO_FEED = `<?xml version="1.0" encoding="UTF-8"?>
<root>
<kyero><feed_version>3</feed_version></kyero>
${[
  '<property><id>R4100001</id><date>2026-03-04 05:06:07</date><ref>CS-1001</ref><price>1250000</price>',
  '<currency>EUR</currency><price_freq>sale</price_freq><part_ownership>0</part_ownership><leasehold>0</leasehold>',
  '<new_build>0</new_build><type>Villa</type><town>Marbella</town><province>Málaga</province><country>Spain</country>',
  '<location><latitude>36.5</latitude><longitude>-4.95</longitude></location>',
  '<location_detail>Nueva Andalucía</location_detail><beds>5</beds><baths>4</baths><pool>1</pool>',
  '<surface_area><built>320</built><plot>1100</plot></surface_area>',
  '<energy_rating><consumption>C</consumption><emissions>B</emissions></energy_rating>',
  '<desc><en>A villa close to the sea.</en></desc><features><feature>Sea Views</feature></features>',
  '<images><image id="1"><url>https://pictures.example/1.jpg</url></image></images></property>',
].join('')}
</root>
`;

export const IDEALISTA_PROPERTY = {
  propertyCode: 'R4100001',
  propertyReference: 'CS-1001',
  propertyVisibility: 'idealista',
  propertyAddress: {
    addressVisibility: 'full',
    addressTown: 'Marbella',
    addressCountry: 'Spain',
    addressCoordinatesPrecision: 'exact',
    addressCoordinatesLatitude: 36.5,
    addressCoordinatesLongitude: -4.95,
  },
  propertyFeatures: {
    featuresType: 'house_independent',
    featuresAreaConstructed: 320,
    featuresEnergyCertificateRating: 'C',
    featuresBathroomNumber: 4,
    featuresBedroomNumber: 5,
    featuresAreaPlot: 1_100,
    featuresBuiltYear: 2004,
    featuresPool: true,
  },
  propertyDescriptions: [{ descriptionLanguage: 'english', descriptionText: 'A villa close to the sea.' }],
  propertyImages: [{ imageOrder: 1, imageUrl: 'https://pictures.example/1.jpg' }],
  propertyOperation: { operationType: 'sale', operationPrice: 1_250_000 },
};
