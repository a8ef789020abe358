import { useMemo } from 'react'

/**
 * The key of a reading of some patients: put together once for a list, for a text of so many ids is long, and is made
 * and compared with every drawing of whoever reads. Null of nobody.
 */
export function useKeyOf(what: string, patients: readonly { readonly id: string }[]): string | null {
  return useMemo(
    () => (patients.length === 0 ? null : [what, ...patients.map(({ id }) => id)].join(' ')),
    [what, patients],
  )
}
