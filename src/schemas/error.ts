import { FEED_ERROR_STATUS } from '../feed/error-document.ts';
import { component, documented, element, facet, schema, sequence, valueType } from './xsd.ts';

/** The XML Schema of the document that a feed request is refused with. */
export function errorSchema(): string {
  const root = element(
    'root',
    'once',
    [
      sequence([
        element(
          'error',
          'once',
          [
            sequence([
              element('code', 'once', 'errorCode', 'What kind of refusal it is: a word to branch on.'),
              element('message', 'once', 'errorMessage', 'What is wrong with this very request, in English.'),
            ]),
          ],
          'Why the request was refused.',
        ),
      ]),
    ],
    'The answer to a feed request that was refused. A feed never has an error in it.',
  );
  return schema('The error document of the property feed. The HTTP status of the answer goes with the code.', root, [
    valueType(
      'errorCode',
      'xs:string',
      'The kinds of refusal.',
      Object.entries(FEED_ERROR_STATUS).map(([code, status]) =>
        component('enumeration', { value: code }, [documented(`HTTP status ${status}.`)]),
      ),
    ),
    valueType('errorMessage', 'xs:string', 'A sentence or more.', [facet('minLength', 1)]),
  ]);
}
