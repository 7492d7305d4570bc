/** What a guide tells its reader to write: a file, or commands of a shell. */
export interface ClientFile {
  /** The path of the file; absent for commands. */
  readonly name?: string;
  readonly code: string;
}
