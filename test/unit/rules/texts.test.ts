import { expect, test } from 'vitest';
import { TEXT_CHECKS } from '../../../src/rules/about/texts.ts';
import { description, listing } from '../../support/accounts/listing.ts';

/** What a rule finds in an English text. */
function foundBy(rule: 'description_with_phone' | 'description_with_web_address', text: string) {
  return TEXT_CHECKS[rule]!(listing({ descriptions: { uk: description(text) } })).map(
    ({ value }) => value,
  );
}

// As agencies in Spain, and those who write for readers abroad, write them.
test.each([
  [
    '952123456',
    '+34952123456',
    '0034 952123456',
    '00 34 952 12 34 56',
    '+34 (952) 123-456',
    '+34 6 12 34 56 78',
  ],
  [
    '952 123 456',
    '952.123.456',
    '952-12-34-56',
    '(952) 12 34 56',
    '952/123456',
    '952 1234 56',
    '91 123 45 67',
  ],
  [
    '+44 (0)20 7946 0958',
    '0044 20 7946 0958',
    '+1 (305) 555-0123',
    '+49 89 123456',
    '+353 1 234 5678',
  ],
])('%s and others: telephone numbers, also after a reference of seven digits', (...numbers) => {
  const found = (number: string) =>
    foundBy('description_with_phone', `Ref. 7501200: call ${number}, please.`);
  for (const number of numbers) expect(found(number)).toEqual([number]);
});

test.each([
  'Price 350.000 €, 3 bedrooms, 110 m2, built in 2004.',
  'Between 1.250.000 and 1.500.000 euros, ref 123456',
  'Tax 2024/2025: 1,250.50 per year; plot 29600 m2.',
  'From 650000-700000 euros, 850000 900000 with a garage, ref 912345',
  'Ref. 750120 and 7501200, +34 600, registered as 6001234567890',
])('%s: no telephone number', (text) => {
  expect(foundBy('description_with_phone', text)).toEqual([]);
});

test.each([
  ['More on agency.com', ['agency.com']],
  ['Visit Agency.es or AGENCY.CO.UK', ['Agency.es']],
  ['AGENCY.CO.UK', ['AGENCY.CO.UK']],
  ['A pool.Es una casa.No te la pierdas.SE VENDE', []],
])('%s: web addresses %j, and none where a space is missing', (text, expected) => {
  expect(foundBy('description_with_web_address', text)).toEqual(expected);
});
