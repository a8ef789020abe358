import { useMemo } from 'react'

/**
 * The key of a reading of some patients. It is made once for each list: a text of so many ids is long, and would
 * otherwise be made and compared at each drawing. Null without patients.
 */
export function useKeyOf(what: string, patients: readonly { readonly id: string }[]): string | null {
  return useMemo(
    () => (patients.length === 0 ? null : [what, ...patients.map(({ id }) => id)].join(' ')),
    [what, patients],
  )
}
