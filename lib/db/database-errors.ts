/**
 * What errors of the database mean. The only place that knows SQLSTATE codes, and the codes that
 * drivers use instead.
 */
import { errorCode, RelayError } from "../failures/relay-error";
import { isObject } from "../values/records";

const sqlState = {
  uniqueViolation: "23505",
  serializationFailure: "40001",
  queryCanceled: "57014",
  tooManyConnections: "53300",
  lockNotAvailable: "55P03",
  invalidParameterValue: "22023",
  invalidTextRepresentation: "22P02",
  characterNotInRepertoire: "22021",
  untranslatableCharacter: "22P05",
  invalidPassword: "28P01",
  readOnlyTransaction: "25006",
  duplicateDatabase: "42P04",
  duplicateObject: "42710",
  deadlock: "40P01",
  invalidFunctionDefinition: "42P13",
  undefinedTable: "42P01",
  undefinedObject: "42704",
  /** Raised by our own trigger function `limit_rows`. */
  countLimit: "RL001",
} as const;

/** Prisma's codes for a unique violation, and for a deadlock or a conflict of writes. */
const PRISMA_UNIQUE_VIOLATION = "P2002";
const PRISMA_WRITE_CONFLICT = "P2034";

/**
 * Text that PostgreSQL would refuse. It is refused before it is sent, with an error of the same
 * form.
 */
export class UnstorableText extends Error {
  readonly code = sqlState.characterNotInRepertoire;
}

/** The server cannot be used: it is a standby, read-only, or lacks what was written before. */
export class RefusedServer extends Error {
  readonly code = sqlState.readOnlyTransaction;
}

type Refused = { readonly state: string; readonly message: string };

const DEPTH_MAX = 5;

/** Whether the error, or its cause, fits: drivers put the SQLSTATE in different places. */
function isRefusal(error: unknown, fits: (refused: Refused) => boolean): boolean {
  let each = error;
  for (let depth = 0; depth < DEPTH_MAX && isObject(each); depth++) {
    const { code, message, originalCode, originalMessage, cause, meta } = each;
    if (fits({ state: String(originalCode ?? code), message: String(originalMessage ?? message) }))
      return true;
    each = (isObject(meta) ? meta.driverAdapterError : undefined) ?? cause;
  }
  return false;
}

const isState = (error: unknown, state: string): boolean => errorCode(error) === state;

/**
 * Whether the trigger function `limit_rows` refused an insert because the maximum number of rows
 * exists; that of a trigger, where one is named.
 */
export const isCountLimit = (error: unknown, trigger?: string): boolean =>
  isRefusal(
    error,
    ({ state, message }) =>
      state === sqlState.countLimit &&
      (trigger === undefined || message.includes(` ${trigger} allows `)),
  );

/** Whether another transaction changed meanwhile what this one read; it may be done again. */
export const isOvertaken = (error: unknown): boolean =>
  isState(error, sqlState.serializationFailure);

/** Whether a row was refused because another one has the same unique value. */
export const isUniqueViolation = (error: unknown): boolean =>
  isState(error, sqlState.uniqueViolation) || isState(error, PRISMA_UNIQUE_VIOLATION);

/**
 * Whether a value was refused because its text cannot be stored: NUL in a text, NUL as an escape in
 * JSON, or an unpaired surrogate in JSON. Our code writes the JSON, so nothing else can be wrong
 * with it.
 */
export const isUnstorable = (error: unknown): boolean =>
  isRefusal(
    error,
    ({ state, message }) =>
      state === sqlState.characterNotInRepertoire ||
      state === sqlState.untranslatableCharacter ||
      (state === sqlState.invalidTextRepresentation && message.includes("type json")),
  );

/** Whether the database could not read a value, such as the name of a time zone. */
export const isInvalidParameter = (error: unknown): boolean =>
  isRefusal(error, ({ state }) => state === sqlState.invalidParameterValue);

/** Whether a statement was cancelled because it took too long. */
export const isQueryCanceled = (error: unknown): boolean => isState(error, sqlState.queryCanceled);

/** Whether a lock was not free within the time that the statement waits for it. */
export const isLockTimeout = (error: unknown): boolean => isState(error, sqlState.lockNotAvailable);

/** Whether others had the locks or changed the rows, so that the same transaction may succeed a moment later. */
export const isInTheWay = (error: unknown): boolean =>
  isRefusal(error, ({ state }) => inTheWay.has(state));
const inTheWay: ReadonlySet<string> = new Set([
  sqlState.lockNotAvailable,
  sqlState.deadlock,
  sqlState.serializationFailure,
  PRISMA_WRITE_CONFLICT,
]);

/**
 * Whether the transaction is certainly not committed: the database ended it, or it got no
 * connection. After other failures, such as a lost answer, it may be.
 */
export const isUndone = (error: unknown): boolean =>
  isRefusal(
    error,
    ({ state, message }) => undoneStates.has(state) || /timeout exceeded when trying/.test(message),
  );
const undoneStates: ReadonlySet<string> = new Set([
  sqlState.uniqueViolation,
  sqlState.serializationFailure,
  sqlState.queryCanceled,
  sqlState.lockNotAvailable,
  sqlState.deadlock,
  sqlState.tooManyConnections,
  "ECONNREFUSED",
]);

/** Whether a function of this name and these arguments answers something else. */
export const isOtherSignature = (error: unknown): boolean =>
  isState(error, sqlState.invalidFunctionDefinition);

/** Whether a statement names a table or a type that is not there. */
export const isAbsentObject = (error: unknown): boolean =>
  isState(error, sqlState.undefinedTable) || isState(error, sqlState.undefinedObject);

/** Turns a cancelled statement into `range_too_large`; returns any other error unchanged. */
export const rangeFailure = (error: unknown, message?: string): unknown =>
  isQueryCanceled(error) ? new RelayError("range_too_large", { message, cause: error }) : error;

/** Whether a standby, or a server that was made read-only, refused a write. */
export const isReadOnly = (error: unknown): boolean => isState(error, sqlState.readOnlyTransaction);

export const isWrongPassword = (error: unknown): boolean =>
  isState(error, sqlState.invalidPassword);

/** Whether a database, a role or a grant already exists. */
export const isExistingAlready = (error: unknown): boolean =>
  [sqlState.duplicateDatabase, sqlState.duplicateObject, sqlState.uniqueViolation].some((state) =>
    isState(error, state),
  );

const codeOf = (error: unknown): string => String(errorCode(error) ?? "");

/** Whether the database read a value and refused it: it would refuse it again. */
export const isValueRefused = (error: unknown): boolean => /^(22|23|P0)...$/.test(codeOf(error));

/** Whether the value, or the statement itself, was refused. */
export const isStatementRefused = (error: unknown): boolean =>
  isValueRefused(error) || /^42...$/.test(codeOf(error));

/**
 * The codes with which drivers report that the database gave no answer, as opposed to a refusal; and those of
 * a server that lacks connections, memory or room (53), of its disk (58), and of a pooler that has no server (08).
 */
const outageCodes =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|25006|57P0|57014|P1001|P1002|P1008|P1017|P2024|P2028|P2037|08...$|53...$|58...$)/;
const outageMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Can't reach database server/;

/**
 * Whether the error, or its cause, is that the database could not be reached, did not answer in time, or lacks
 * what it needs to serve anybody.
 */
export const isOutage = (error: unknown): boolean =>
  isRefusal(error, ({ state, message }) => outageCodes.test(state) || outageMessages.test(message));
