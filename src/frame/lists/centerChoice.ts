import { useSearchParams } from 'react-router-dom'
import { isId } from '#core/ids.ts'

/**
 * The address parameter that says which center a list shows. It is an id, and stays when a person goes from list to
 * list.
 */
export const CENTER_PARAMETER = 'center'

/** The center that the lists of a project are narrowed down to; null for all centers. */
export function useCenterChoice(): readonly [centerId: string | null, choose: (centerId: string | null) => void] {
  const [search, setSearch] = useSearchParams()
  const choose = (centerId: string | null): void => {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (centerId === null) next.delete(CENTER_PARAMETER)
        else next.set(CENTER_PARAMETER, centerId)
        return next
      },
      { replace: true },
    )
  }
  return [centerIn(search), choose]
}

/** The center that an address names; null where it names none. */
export function centerIn(search: URLSearchParams): string | null {
  const id = search.get(CENTER_PARAMETER)
  return id !== null && isId(id) ? id : null
}

/** The same address for one center, or for all. */
export function withCenter(address: string, centerId: string | null): string {
  return centerId === null ? address : `${address}?${new URLSearchParams({ [CENTER_PARAMETER]: centerId }).toString()}`
}
