import { useSearchParams } from 'react-router-dom'
import { isId } from '#core/ids.ts'

/**
 * The address parameter that says by which kept search a list is narrowed down. It is an id: a name may tell of people.
 */
export const SEARCH_PARAMETER = 'search'

/** The kept search that a list is narrowed down by; null for none. */
export function useSearchChoice(): readonly [searchId: string | null, choose: (searchId: string | null) => void] {
  const [address, setAddress] = useSearchParams()
  const choose = (searchId: string | null): void => {
    setAddress(
      (before) => {
        const next = new URLSearchParams(before)
        if (searchId === null) next.delete(SEARCH_PARAMETER)
        else next.set(SEARCH_PARAMETER, searchId)
        return next
      },
      { replace: true },
    )
  }
  return [searchIn(address), choose]
}

/** The search that an address names; null where it names none. */
export function searchIn(address: URLSearchParams): string | null {
  const id = address.get(SEARCH_PARAMETER)
  return id !== null && isId(id) ? id : null
}
