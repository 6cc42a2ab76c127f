import { readAnswer, readPresence, withoutDenial } from './flag.ts';
import { isPlaceholder } from './interpretation.ts';

/** A feature that is stated with a value. */
interface Statement {
  readonly name: string;
  /** Whether the property has it; `undefined` if that cannot be read. */
  readonly isPresent: boolean | undefined;
}

/** A name and its value: `Pool: no`, `Pool = no`, `Pool - No`, `Pool (8x4)`, `Pool -`. */
const NAME_AND_VALUE = /^(.*[^\s:=–—-])\s*(?:[:=]|\s[-–—]\s?|\()\s*([^()]*?)\s*\)?$/u;

const NAME_AND_ANSWER = /^(.*\S)\s+(\p{L}{2,})$/u;
const NAME_TIMES_COUNT = /^(?<name>.*\S)\s*[x×*]\s*(?<count>\d+)$/iu;
const NAME_AND_COUNT = /^(?<name>.*\S)\s+(?<count>\d+)$/iu;
const COUNT_AND_NAME = /^(?<count>\d+)\s*[x×*]?\s+(?<name>\p{L}.*)$/iu;

/** A size, or the length and width of a pool. */
const SIZE = /^\d+([.,]\d+)?\s*(m|m2|m²)?(\s*[x×]\s*\d+([.,]\d+)?\s*(m|mts)?)?$/i;

/** `NO` is the north-west in Spanish. */
const DIRECTION = /orient|facing|ausricht|exposi/i;

/** Marks of lists, before or after a name: `✓ Lift`, `Pool: ✗`. Names are compared without them. */
const YES_MARK = /[✓✔☑✅]/u;
const NO_MARK = /[✗✘☒☐✖❌❎🚫⛔]|\[\s*\]|^[!~¬×]|×$/u;

/** What leaves open whether a name holds: a mark, or a dash, a colon or a question mark after it. */
const HAS_MARK = new RegExp(`${YES_MARK.source}|${NO_MARK.source}|[-–—:=?]\\s*\\)?$`, 'u');

/**
 * The feature that a text states as present or absent, as a person reads it: `Pool: no` is none,
 * `Communal pool: Yes` and `Garage x 2` are the features. A text that says anything else is its own
 * name.
 *
 * @param isKnown whether a name is that of a feature
 */
export function readStatement(text: string, isKnown: (name: string) => boolean): Statement {
  const whole = { name: text, isPresent: true };
  const isMarked = HAS_MARK.test(text);
  if (!isMarked && isKnown(text)) return whole;
  const [, name, value] = NAME_AND_VALUE.exec(text) ?? [];
  if (name !== undefined && value !== undefined && !HAS_MARK.test(name)) {
    const answer = readAnswerTo(name, value);
    if (answer !== undefined) return { name, isPresent: answer };
    if (isKnown(name) && SIZE.test(value)) return { name, isPresent: !isZero(value) };
    if (isKnown(name) && (isDenial(value) || isPlaceholder(value)))
      return { name, isPresent: false };
  }
  if (isMarked) return { name: withoutMarks(text), isPresent: markedAs(text) };
  const [, answered, word] = NAME_AND_ANSWER.exec(text) ?? [];
  const answer = word === undefined ? undefined : readAnswer(word);
  if (answered !== undefined && answer !== undefined && isKnown(answered))
    return { name: answered, isPresent: answer };
  for (const pattern of [NAME_TIMES_COUNT, NAME_AND_COUNT, COUNT_AND_NAME]) {
    const { name: counted, count } = pattern.exec(text)?.groups ?? {};
    if (counted !== undefined && isKnown(counted))
      return { name: counted, isPresent: !isZero(count!) };
  }
  const denied = withoutDenial(text);
  return denied !== undefined && isKnown(denied) ? { name: denied, isPresent: false } : whole;
}

/** Whether the value of a feature says that there is none, or leaves it open: `optional`, `not included`. */
function isDenial(value: string): boolean {
  return /\p{L}/u.test(value) && readPresence(value).value === false;
}

function markedAs(text: string): boolean | undefined {
  const isYes = YES_MARK.test(text);
  return isYes === NO_MARK.test(text) ? undefined : isYes;
}

function withoutMarks(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})]+$/gu, '');
}

function isZero(size: string): boolean {
  return size.split(/[x×]/i).some((part) => Number.parseFloat(part.replace(',', '.')) === 0);
}

/** Whether a value says that there is what a name names; `undefined` if it says anything else. */
export function readAnswerTo(name: string, value: string): boolean | undefined {
  if (DIRECTION.test(name)) return undefined;
  if (/^([01]|true|false)$/i.test(value)) return /^(1|true)$/i.test(value);
  if (/^[-–—]+$/.test(value)) return false;
  if (/^[^\p{L}\p{N}]+$/u.test(value)) return markedAs(value);
  // Of single letters, only these are hardly ever anything else.
  return value.length > 1 || /^[yn]$/i.test(value) ? readAnswer(value) : undefined;
}
