/** What an invocation of the Worker has used: the quantities that the platform limits and bills. */
export interface Usage {
  /** Calls of D1; a batch is one. */
  roundTrips: number;
  statements: number;
  /** As D1 counts them, rows of indexes included. */
  rowsRead: number;
  rowsWritten: number;
  kvReads: number;
  kvWrites: number;
  kvDeletes: number;
  kvLists: number;
}

export function noUsage(): Usage {
  return {
    roundTrips: 0,
    statements: 0,
    rowsRead: 0,
    rowsWritten: 0,
    kvReads: 0,
    kvWrites: 0,
    kvDeletes: 0,
    kvLists: 0,
  };
}
