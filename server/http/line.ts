/**
 * A line of a stream that is text already, as the database wrote it. To parse it and write it again would gain
 * nothing.
 */
export interface WrittenLine {
  readonly lineText: string
}

export function isWritten(line: unknown): line is WrittenLine {
  return typeof line === 'object' && line !== null && 'lineText' in line && typeof line.lineText === 'string'
}
