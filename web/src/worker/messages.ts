/** It is somebody's turn at a table. */
export interface Turn {
  type: "turn";
  table: string;
  title: string;
  body: string;
}

/** What the page tells the service worker, which may be of an older version than the page. */
export type ToWorker =
  | Turn
  /** Somebody looks at the page: what was to be told beside it need not be told any more. */
  | { type: "seen" }
  /** Whether this script is of the worker's version: it answers true or false on the port that comes along. */
  | { type: "whose"; script: string };

/** What the service worker tells the page: somebody wishes to be there. */
export interface FromWorker {
  type: "go";
  path: string;
}
