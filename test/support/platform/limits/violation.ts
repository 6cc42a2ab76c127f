/** Thrown if the code asks for more than the platform allows; local workerd would have done it. */
class PlatformViolation extends Error {
  override readonly name = 'PlatformViolation';
}

/** Violations since they were last taken. Code may catch the error, so the tests also look here. */
const violations: PlatformViolation[] = [];

/**
 * Records a violation.
 *
 * @throws PlatformViolation always
 */
export function violate(message: string): never {
  const violation = new PlatformViolation(message);
  violations.push(violation);
  throw violation;
}

/** The violations since the last call, which forgets them. */
export function takeViolations(): PlatformViolation[] {
  return violations.splice(0);
}
