import type { Casebook } from '#src/data/shapes/types.ts'

/** The pass of double entry that a casebook shows; null in a project that is entered once. */
export function passOf({ project, patient }: Casebook): 1 | 2 | null {
  return project.config.isDouble === 1 ? patient.pass : null
}
