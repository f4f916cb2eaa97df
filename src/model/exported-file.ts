/** A file for another program that starts this one. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}
