import { beforeAll, test } from 'vitest';
import { OPERATIONS } from '../../worker/api/operations.ts';
import { checkContract, openContract } from '../../worker/fuzz/contract.ts';

beforeAll(openContract);

const REQUESTS = 5_000;
const SEED = 61;

test.each(OPERATIONS)(
  'a share of 5,000 malformed requests to $operationId: none fails, and each response is documented',
  (operation) => checkContract(operation, Math.ceil(REQUESTS / OPERATIONS.length), SEED),
);
