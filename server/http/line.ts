/**
 * A line of a stream whose text is there already, as the database wrote it: nothing is gained by taking it apart and
 * writing it anew.
 */
export interface WrittenLine {
  readonly lineText: string
}

export function isWritten(line: unknown): line is WrittenLine {
  return typeof line === 'object' && line !== null && 'lineText' in line && typeof line.lineText === 'string'
}
