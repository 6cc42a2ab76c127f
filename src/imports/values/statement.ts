import { readAnswer } from './flag.ts';

/** A feature that is stated with a value. */
interface Statement {
  readonly name: string;
  /** Whether the property has it. */
  readonly isPresent: boolean;
}

/** A name and its value: `Pool: no`, `Pool = no`, `Pool - No`, `Pool (8x4)`. */
const NAME_AND_VALUE = /^(.*\S)\s*(?:[:=]|\s[-–—]\s?|\()\s*([^()]+?)\s*\)?$/u;

const NAME_AND_ANSWER = /^(.*\S)\s+(\p{L}{2,})$/u;
const NAME_AND_COUNT = /^(?<name>.*\S)\s*[x×*]\s*(?<count>\d+)$/iu;
const COUNT_AND_NAME = /^(?<count>\d+)\s*[x×*]?\s+(?<name>\p{L}.*)$/iu;

/** A size, or the length and width of a pool. */
const SIZE = /^\d+([.,]\d+)?\s*(m|m2|m²)?(\s*[x×]\s*\d+([.,]\d+)?\s*(m|mts)?)?$/i;

/** `NO` is the north-west in Spanish. */
const DIRECTION = /orient|facing|ausricht|exposi/i;

/**
 * The feature that a text states as present or absent, as a person reads it: `Pool: no` is none,
 * `Communal pool: Yes` and `Garage x 2` are the features. A text that says anything else is its own
 * name.
 *
 * @param isKnown whether a name is that of a feature
 */
export function readStatement(text: string, isKnown: (name: string) => boolean): Statement {
  const whole = { name: text, isPresent: true };
  if (isKnown(text)) return whole;
  const [, name, value] = NAME_AND_VALUE.exec(text) ?? [];
  if (name !== undefined && value !== undefined) {
    const answer = readAnswerTo(name, value);
    if (answer !== undefined) return { name, isPresent: answer };
    if (isKnown(name) && SIZE.test(value)) return { name, isPresent: !isZero(value) };
  }
  const [, answered, word] = NAME_AND_ANSWER.exec(text) ?? [];
  const answer = word === undefined ? undefined : readAnswer(word);
  if (answered !== undefined && answer !== undefined && isKnown(answered))
    return { name: answered, isPresent: answer };
  const counted = (NAME_AND_COUNT.exec(text) ?? COUNT_AND_NAME.exec(text))?.groups;
  if (counted === undefined || !isKnown(counted.name!)) return whole;
  return { name: counted.name!, isPresent: !isZero(counted.count!) };
}

function isZero(size: string): boolean {
  return Number.parseFloat(size.replace(',', '.')) === 0;
}

/** Whether a value says that there is what a name names; `undefined` if it says anything else. */
export function readAnswerTo(name: string, value: string): boolean | undefined {
  if (DIRECTION.test(name)) return undefined;
  if (/^([01]|true|false)$/i.test(value)) return /^(1|true)$/i.test(value);
  // Of single letters, only these are hardly ever anything else.
  return value.length > 1 || /^[yn]$/i.test(value) ? readAnswer(value) : undefined;
}
