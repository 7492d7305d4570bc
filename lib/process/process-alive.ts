import { errorCode } from "../failures/relay-error";

/** True while a process has this id, whichever user it runs as. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
