/**
 * Why a document could not be printed. `unavailable`: the program that sets type, or its font, is not on this machine;
 * `too_large`: it took more memory or time than a document may have; `failed`: our sheet and the document do not fit,
 * which is a fault of ours; `busy`: too many wait to be printed.
 */
export type PrintProblem = 'unavailable' | 'too_large' | 'failed' | 'busy'

export class PrintFailure extends Error {
  override readonly name = 'PrintFailure'
  readonly problem: PrintProblem

  /** @param detail of the program's own, never of what was printed */
  constructor(problem: PrintProblem, detail: string) {
    super(detail)
    this.problem = problem
  }
}
