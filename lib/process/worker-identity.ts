/**
 * The place of this process among the processes of one installation on this machine. The primary
 * process gives it to its workers in their environment.
 */
import { randomBytes } from "node:crypto";
import { isRecord } from "../values/records";

export interface SandboxAddress {
  readonly origin: string;
  readonly credential: string;
}

export const newSandboxCredential = () => `sandbox-${randomBytes(24).toString("base64url")}`;

export interface WorkerIdentity {
  /** The number of this worker; its replacement has a new one. */
  readonly worker: number;
  /** How many workers share the port, the limits and the connections to the database. */
  readonly workers: number;
  /** The id under which this worker's ledger works. */
  readonly nodeId: string;
  /** The sandbox upstream that all workers use; null when it is turned off. */
  readonly sandbox: SandboxAddress | null;
}

/** The environment variable with a worker's place. */
export const WORKER_VARIABLE = "RELAY_WORKER";

function parsedIdentity(text: string): WorkerIdentity | null {
  const given: unknown = JSON.parse(text);
  if (!isRecord(given)) return null;
  const { worker, workers, nodeId, sandbox } = given;
  if (typeof worker !== "number" || typeof workers !== "number" || typeof nodeId !== "string")
    return null;
  if (!isRecord(sandbox)) return { worker, workers, nodeId, sandbox: null };
  const { origin, credential } = sandbox;
  if (typeof origin !== "string" || typeof credential !== "string") return null;
  return { worker, workers, nodeId, sandbox: { origin, credential } };
}

/** Null in a process that serves alone. */
export function readWorkerIdentity(): WorkerIdentity | null {
  const text = process.env[WORKER_VARIABLE];
  try {
    return text === undefined || text === "" ? null : parsedIdentity(text);
  } catch {
    return null;
  }
}

const place = readWorkerIdentity();

/**
 * This process's part of something that all workers share: at least `least`. All parts together are
 * never more than the whole, unless each is the least.
 */
export const partOf = (whole: number, least = 1): number =>
  Math.max(least, Math.floor(whole / (place?.workers ?? 1)));
