/** A part of a definition that the format of a file has no word for. */
export interface NotWritten {
  readonly page: string
  readonly field: string
  /** What of the field: a key of its column. */
  readonly what: string
  readonly text: string
}
